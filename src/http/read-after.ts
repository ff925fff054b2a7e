import type { Context } from 'koa';
import { InvalidInputError } from '../errors.ts';

/** A table's numeric ID, with no more digits than its column can hold. */
const ID = /^[1-9]\d{0,17}$/;
/** The length of the print service's longest UID. */
const MAX_UID_LENGTH = 500;

const cursors = {
  id: (text: string) => ID.test(text),
  /** The number in a store's ID. */
  storeId: (text: string) => /^[1-9]\d{0,19}$/.test(text),
  variant: (text: string) => /^gid:\/\/shopify\/ProductVariant\/\d{1,20}$/.test(text),
  uid: (text: string) => text.length <= MAX_UID_LENGTH,
};

/**
 * Reads the `after` parameter: the previous page's `next` value, or null for the first page. Throws InvalidInputError if it is invalid or
 * repeated.
 */
export function readAfter(ctx: Context, kind: keyof typeof cursors): string | null {
  const { after } = ctx.query;
  if (after === undefined) return null;
  if (typeof after === 'string' && cursors[kind](after)) return after;
  throw new InvalidInputError('after', 'after: must be the "next" value of the previous page.');
}
