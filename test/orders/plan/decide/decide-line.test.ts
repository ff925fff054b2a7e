import { describe, expect, test } from 'vitest';
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
const OURS = { decision: 'ours', reason: null };
/** A custom line as the store returns it. */
const custom = { variant: null, variantTitle: null, vendor: null, product: null };
/** A line of a deleted product as the store returns it. */
const gone = { variant: null, product: null };

test.each([
  ['a linked variant that the service ignores is not ours', { connection: 'ignored' }, 'not_ours', 'ignored'],
  [
    'an unlinked variant that the service ignores is not ours',
    { connection: 'ignored', hasPrintLink: false },
    'not_ours',
    'ignored',
  ],
  ['a linked variant that is not connected is held', { connection: 'not_connected' }, 'held', 'not_connected'],
  [
    'an unlinked variant that is not connected is held',
    { connection: 'not_connected', hasPrintLink: false },
    'held',
    'not_connected',
  ],
  [
    'a connected variant without a print link is held at any location',
    { connection: 'connected', hasPrintLink: false, atOurLocation: false },
    'held',
    'no_print_link',
  ],
  [
    "an unknown variant without a print link is held at Platen's location",
    { hasPrintLink: false },
    'held',
    'no_print_link',
  ],
  [
    'an unknown variant without a print link is not ours elsewhere',
    { hasPrintLink: false, atOurLocation: false },
    'not_ours',
    'not_printed',
  ],
  [
    'an unknown variant that looks printed is also held at other locations',
    { hasPrintLink: false, atOurLocation: false, unlinked: 'printed' },
    'held',
    'not_linked',
  ],
  [
    'an unlinked variant that the merchant ships is not ours',
    { hasPrintLink: false, atOurLocation: false, unlinked: 'own' },
    'not_ours',
    'own',
  ],
  [
    'a line held as not linked stays held even if it no longer looks printed',
    { hasPrintLink: false, atOurLocation: false, wasAsked: true },
    'held',
    'not_linked',
  ],
  [
    "one that was held as not linked needs the merchant's decision once it has a link",
    { atOurLocation: false, connection: 'connected', wasAsked: true },
    'held',
    'not_linked',
  ],
  [
    'a line held as not linked is not ours once its product is marked as own stock',
    { hasPrintLink: false, atOurLocation: false, unlinked: 'own', wasAsked: true },
    'not_ours',
    'own',
  ],
  [
    "a line held as not linked is ours at Platen's location once it has a link",
    { connection: 'connected', wasAsked: true },
    'ours',
    null,
  ],
  [
    'a line that looks printed is not ours while the service ignores its variant',
    { hasPrintLink: false, unlinked: 'printed', connection: 'ignored' },
    'not_ours',
    'ignored',
  ],
  [
    'a line that had a print order is held at any location until it has a print link again',
    { hasPrintLink: false, wasOurs: true, atOurLocation: false },
    'held',
    'no_print_link',
  ],
  [
    'one that had a print order before is not ours once the service ignores its variant',
    { connection: 'ignored', hasPrintLink: false, wasOurs: true, atOurLocation: false },
    'not_ours',
    'ignored',
  ],
  ['a gift card is not ours, even with a print link', { line: { isGiftCard: true } }, 'not_ours', 'gift_card'],
  [
    'a custom line is not ours',
    { line: custom, deleted: UNKNOWN_VARIANT, hasPrintLink: false },
    'not_ours',
    'custom_line',
  ],
  ['a line that needs no shipping is not ours', { line: { requiresShipping: false } }, 'not_ours', 'needs_no_shipping'],
] as const)('%s', (_, change, decision, reason) => {
  expect(decideLine(facts(change))).toEqual({ decision, reason });
});

test.each([
  ["connected, at Platen's location", { connection: 'connected' }],
  ['connected, elsewhere', { connection: 'connected', atOurLocation: false }],
  ["unknown to the service, at Platen's location", {}],
  ['unknown to the service, elsewhere', { atOurLocation: false }],
] as const)('a linked variant is printed by Platen: %s', (_, change) => {
  expect(decideLine(facts(change))).toEqual(OURS);
});

describe('a line without a variant in the store', () => {
  const unlinked = { hasPrintLink: false, atOurLocation: false };
  const known = { ...UNKNOWN_VARIANT, variantId: 'v', wasPrintable: true };

  test('a line with a deleted variant is printed if its SKU has a print link', () => {
    expect(decideLine(facts({ line: gone, deleted: known, atOurLocation: false }))).toEqual(OURS);
  });

  test.each([
    [
      'is held if its variant had a print link or was connected',
      { line: gone, deleted: known },
      'held',
      'variant_deleted',
    ],
    [
      'is held if it had a print order before, even if its variant is unknown',
      { line: gone, deleted: UNKNOWN_VARIANT, wasOurs: true },
      'held',
      'variant_deleted',
    ],
    [
      'is held even without a SKU if Platen recorded its variant',
      { line: custom, deleted: known },
      'held',
      'variant_deleted',
    ],
    [
      'is not ours if it is a custom line, whatever its SKU',
      { line: custom, deleted: UNKNOWN_VARIANT, hasPrintLink: true },
      'not_ours',
      'custom_line',
    ],
    [
      "is held at Platen's location if nothing is known about its variant",
      { line: gone, deleted: UNKNOWN_VARIANT, atOurLocation: true },
      'held',
      'variant_deleted',
    ],
    [
      'is not ours at other locations if nothing is known about its variant',
      { line: gone, deleted: UNKNOWN_VARIANT },
      'not_ours',
      'not_printed',
    ],
    [
      'is not a custom line if its product still exists, even without a SKU and vendor',
      {
        line: { ...custom, product: { id: 'p', tags: [] as string[] } },
        deleted: UNKNOWN_VARIANT,
        atOurLocation: true,
      },
      'held',
      'variant_deleted',
    ],
    [
      'is not ours if the print service ignored its variant',
      { line: gone, deleted: known, connection: 'ignored' },
      'not_ours',
      'ignored',
    ],
    [
      'is held as not connected while the print service reports its variant as not connected',
      { line: gone, deleted: known, connection: 'not_connected', hasPrintLink: true },
      'held',
      'not_connected',
    ],
    [
      "is a custom line if it has no vendor, even at Platen's location",
      { line: custom, deleted: UNKNOWN_VARIANT, atOurLocation: true },
      'not_ours',
      'custom_line',
    ],
  ] as const)('%s', (_, change, decision, reason) => {
    expect(decideLine(facts({ ...unlinked, ...change }))).toEqual({ decision, reason });
  });
});
