import { expect, test } from 'vitest';
import { decideLine, UNKNOWN_VARIANT, type LineFacts } from '../../../../src/orders/plan/decide/decide-line.ts';

const variant = { id: 'v' };
interface Change extends Partial<Omit<LineFacts, 'line'>> {
  line?: Partial<LineFacts['line']>;
}

const facts = ({ line, ...change }: Change): LineFacts => ({
  line: {
    requiresShipping: true,
    isGiftCard: false,
    variant,
    variantTitle: null,
    vendor: 'Mugs & Co',
    product: { id: 'p', tags: [] },
    ...line,
  },
  hasPrintLink: true,
  connection: null,
  wasOurs: false,
  atOurLocation: true,
  deleted: null,
  unlinked: null,
  wasAsked: false,
  ...change,
});
/** A custom line as the store returns it. */
const custom = { variant: null, variantTitle: null, vendor: null, product: null };
/** A line of a deleted product as the store returns it. */
const gone = { variant: null, product: null };

const outcome = (change: Change): string => {
  const { decision, reason } = decideLine(facts(change));
  return reason === null ? decision : `${decision} ${reason}`;
};
const unlinked = { hasPrintLink: false };
const away = { hasPrintLink: false, atOurLocation: false };

test.each([
  ['a linked variant that the service ignores', { connection: 'ignored' }, 'not_ours ignored'],
  ['an unlinked variant that the service ignores', { connection: 'ignored', ...unlinked }, 'not_ours ignored'],
  ['a linked variant that is not connected', { connection: 'not_connected' }, 'held not_connected'],
  ['an unlinked variant that is not connected', { connection: 'not_connected', ...unlinked }, 'held not_connected'],
  ['a connected variant without a link, elsewhere', { connection: 'connected', ...away }, 'held no_print_link'],
  ["an unknown variant without a link at Platen's location", unlinked, 'held no_print_link'],
  ['an unknown variant without a link elsewhere', away, 'not_ours not_printed'],
  ['one that counts as print-on-demand elsewhere', { ...away, unlinked: 'printed' }, 'held not_linked'],
  ['an unlinked variant that the merchant ships', { ...away, unlinked: 'own' }, 'not_ours own'],
  ['one that was held as not linked', { ...away, wasAsked: true }, 'held not_linked'],
  ['one that was held as not linked and now has a link', { atOurLocation: false, wasAsked: true }, 'held not_linked'],
  ['one held as not linked that is now own stock', { ...away, unlinked: 'own', wasAsked: true }, 'not_ours own'],
  ["one held as not linked, now linked at Platen's location", { connection: 'connected', wasAsked: true }, 'ours'],
  ['a print-on-demand product that is ignored', { unlinked: 'printed', connection: 'ignored' }, 'not_ours ignored'],
  ['a line with a print order whose link is gone', { ...away, wasOurs: true }, 'held no_print_link'],
  ['a line with a print order, now ignored', { ...away, connection: 'ignored', wasOurs: true }, 'not_ours ignored'],
  ['a gift card with a link', { line: { isGiftCard: true } }, 'not_ours gift_card'],
  ['a custom line', { line: custom, deleted: UNKNOWN_VARIANT, ...unlinked }, 'not_ours custom_line'],
  ['a line that needs no shipping', { line: { requiresShipping: false } }, 'not_ours needs_no_shipping'],
  ["a connected variant with a link at Platen's location", { connection: 'connected' }, 'ours'],
  ['a connected variant with a link elsewhere', { connection: 'connected', atOurLocation: false }, 'ours'],
  ["an unknown variant with a link at Platen's location", {}, 'ours'],
  ['an unknown variant with a link elsewhere', { atOurLocation: false }, 'ours'],
] as [string, Change, string][])('%s is decided by its link and connection', (_, change, expected) => {
  expect(outcome(change)).toBe(expected);
});

const known = { ...UNKNOWN_VARIANT, variantId: 'v', wasPrintable: true };
const withProduct = { ...custom, product: { id: 'p', tags: [] } };

test.each([
  ['is printed if its SKU has a link', { line: gone, deleted: known, hasPrintLink: true }, 'ours'],
  ['is held if its variant was printable', { line: gone, deleted: known }, 'held variant_deleted'],
  ['is held if it had a print order', { line: gone, deleted: UNKNOWN_VARIANT, wasOurs: true }, 'held variant_deleted'],
  ['is held without a SKU if its variant is recorded', { line: custom, deleted: known }, 'held variant_deleted'],
  ['is custom for any SKU', { line: custom, deleted: UNKNOWN_VARIANT, hasPrintLink: true }, 'not_ours custom_line'],
  ['is held at our location', { line: gone, deleted: UNKNOWN_VARIANT, atOurLocation: true }, 'held variant_deleted'],
  ['is left to the merchant elsewhere', { line: gone, deleted: UNKNOWN_VARIANT }, 'not_ours not_printed'],
  [
    'is no custom line if its product exists',
    { line: withProduct, deleted: UNKNOWN_VARIANT, atOurLocation: true },
    'held variant_deleted',
  ],
  ['is left to the merchant if ignored', { line: gone, deleted: known, connection: 'ignored' }, 'not_ours ignored'],
  ['is held while not connected', { line: gone, deleted: known, connection: 'not_connected' }, 'held not_connected'],
] as [string, Change, string][])('a line without a variant in the store %s', (_, change, expected) => {
  expect(outcome({ ...away, ...change })).toBe(expected);
});
