import type { Context } from 'koa';
import { InvalidInputError } from '../errors.ts';

/** A numeric id of a table, with no more digits than its column can certainly hold. */
const ID = /^[1-9]\d{0,17}$/;
/** The longest uid of the print service. */
const LONGEST_UID = 500;

const cursors = {
  id: (text: string) => ID.test(text),
  /** The number in an id of the store. */
  storeId: (text: string) => /^[1-9]\d{0,19}$/.test(text),
  variant: (text: string) => /^gid:\/\/shopify\/ProductVariant\/\d{1,20}$/.test(text),
  uid: (text: string) => text.length <= LONGEST_UID && !text.includes('\0'),
};

/**
 * The `after` parameter: the `next` value of the previous page, or null for the first page. Throws InvalidInputError if it is invalid or
 * repeated.
 */
export function readAfter(ctx: Context, kind: keyof typeof cursors): string | null {
  const { after } = ctx.query;
  if (after === undefined) return null;
  if (typeof after === 'string' && cursors[kind](after)) return after;
  throw new InvalidInputError('after', 'after: must be the "next" value of the previous page.');
}
