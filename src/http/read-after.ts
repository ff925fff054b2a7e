import type { Context } from 'koa';
import { InvalidInputError } from '../errors.ts';

/** Of an id that a table counts: as many digits as fit into its column for certain. */
const ID = /^[1-9]\d{0,17}$/;
/** Of a uid of the print service, as far as what it names may go. */
const LONGEST_UID = 500;

const cursors = {
  id: (text: string) => ID.test(text),
  /** The digits of an id of the store. */
  storeId: (text: string) => /^[1-9]\d{0,19}$/.test(text),
  variant: (text: string) => /^gid:\/\/shopify\/ProductVariant\/\d{1,20}$/.test(text),
  uid: (text: string) => text.length <= LONGEST_UID && !text.includes('\0'),
};

/**
 * The `after` of a page: what `next` of the page before said, null for the first. Throws InvalidInputError, also of one that is
 * repeated.
 */
export function readAfter(ctx: Context, kind: keyof typeof cursors): string | null {
  const { after } = ctx.query;
  if (after === undefined) return null;
  if (typeof after === 'string' && cursors[kind](after)) return after;
  throw new InvalidInputError('after', 'after: must be what "next" of the page before says.');
}
