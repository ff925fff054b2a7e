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
/** As the store shows a line that somebody typed into the order. */
const custom = { variant: null, variantTitle: null, vendor: null, product: null };
/** As it shows one of a product that was deleted since. */
const gone = { variant: null, product: null };

test.each([
  ['a linked variant that the service ignores is not ours', { connection: 'ignored' }, 'not_ours', 'ignored'],
  [
    'an unlinked variant that the service ignores is not ours',
    { connection: 'ignored', hasPrintLink: false },
    'not_ours',
    'ignored',
  ],
  ['a linked variant that is not connected holds', { connection: 'not_connected' }, 'held', 'not_connected'],
  [
    'an unlinked variant that is not connected holds',
    { connection: 'not_connected', hasPrintLink: false },
    'held',
    'not_connected',
  ],
  [
    'a connected variant without a print link holds, wherever it ships from',
    { connection: 'connected', hasPrintLink: false, atOurLocation: false },
    'held',
    'no_print_link',
  ],
  ['an unknown variant without a print link holds at our location', { hasPrintLink: false }, 'held', 'no_print_link'],
  [
    'an unknown variant without a print link is not ours elsewhere',
    { hasPrintLink: false, atOurLocation: false },
    'not_ours',
    'not_printed',
  ],
  [
    'one that looks printed holds elsewhere too',
    { hasPrintLink: false, atOurLocation: false, unlinked: 'printed' },
    'held',
    'not_linked',
  ],
  [
    'one that the merchant ships is not ours',
    { hasPrintLink: false, atOurLocation: false, unlinked: 'own' },
    'not_ours',
    'own',
  ],
  [
    'one that was held as not linked stays so, though nothing speaks for it any more',
    { hasPrintLink: false, atOurLocation: false, wasAsked: true },
    'held',
    'not_linked',
  ],
  [
    'one that was held as not linked waits for a word once it has a link',
    { atOurLocation: false, connection: 'connected', wasAsked: true },
    'held',
    'not_linked',
  ],
  [
    'one that was held as not linked is not ours once the merchant says so',
    { hasPrintLink: false, atOurLocation: false, unlinked: 'own', wasAsked: true },
    'not_ours',
    'own',
  ],
  [
    'one that was held as not linked is ours at our location once it has a link',
    { connection: 'connected', wasAsked: true },
    'ours',
    null,
  ],
  [
    'one that looks printed is not ours while the service ignores it',
    { hasPrintLink: false, unlinked: 'printed', connection: 'ignored' },
    'not_ours',
    'ignored',
  ],
  [
    'one of which a print order was made before holds elsewhere too, until there is a print link again',
    { hasPrintLink: false, wasOurs: true, atOurLocation: false },
    'held',
    'no_print_link',
  ],
  [
    'one of which a print order was made before is not ours once the service ignores its variant',
    { connection: 'ignored', hasPrintLink: false, wasOurs: true, atOurLocation: false },
    'not_ours',
    'ignored',
  ],
  ['a gift card is not ours, whatever its link', { line: { isGiftCard: true } }, 'not_ours', 'gift_card'],
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
  ['connected, at our location', { connection: 'connected' }],
  ['connected, elsewhere', { connection: 'connected', atOurLocation: false }],
  ['unknown to the service, at our location', {}],
  ['unknown to the service, elsewhere', { atOurLocation: false }],
] as const)('a linked variant is ours: %s', (_, change) => {
  expect(decideLine(facts(change))).toEqual(OURS);
});

describe('a line that has no variant in the store', () => {
  const unlinked = { hasPrintLink: false, atOurLocation: false };
  const known = { ...UNKNOWN_VARIANT, variantId: 'v', wasPrintable: true };

  test('whose SKU has a print link is printed, though its variant is deleted', () => {
    expect(decideLine(facts({ line: gone, deleted: known, atOurLocation: false }))).toEqual(OURS);
  });

  test.each([
    [
      'whose variant had a print link or was connected holds',
      { line: gone, deleted: known },
      'held',
      'variant_deleted',
    ],
    [
      'of which a print order was made before holds, whatever is known of its variant',
      { line: gone, deleted: UNKNOWN_VARIANT, wasOurs: true },
      'held',
      'variant_deleted',
    ],
    [
      'holds also without a SKU, when its variant is remembered',
      { line: custom, deleted: known },
      'held',
      'variant_deleted',
    ],
    [
      'that somebody typed is not ours, whatever its SKU',
      { line: custom, deleted: UNKNOWN_VARIANT, hasPrintLink: true },
      'not_ours',
      'custom_line',
    ],
    [
      'that nothing is known of holds at our location',
      { line: gone, deleted: UNKNOWN_VARIANT, atOurLocation: true },
      'held',
      'variant_deleted',
    ],
    [
      'that nothing is known of is not ours elsewhere',
      { line: gone, deleted: UNKNOWN_VARIANT },
      'not_ours',
      'not_printed',
    ],
    [
      'whose product is still there is no custom line, without a SKU and vendor too',
      {
        line: { ...custom, product: { id: 'p', tags: [] as string[] } },
        deleted: UNKNOWN_VARIANT,
        atOurLocation: true,
      },
      'held',
      'variant_deleted',
    ],
    [
      'whose variant the print service ignored is not ours',
      { line: gone, deleted: known, connection: 'ignored' },
      'not_ours',
      'ignored',
    ],
    [
      'holds as any other while the print service has its variant as not connected',
      { line: gone, deleted: known, connection: 'not_connected', hasPrintLink: true },
      'held',
      'not_connected',
    ],
    [
      'and that nobody sells is a custom line, at our location too',
      { line: custom, deleted: UNKNOWN_VARIANT, atOurLocation: true },
      'not_ours',
      'custom_line',
    ],
  ] as const)('%s', (_, change, decision, reason) => {
    expect(decideLine(facts({ ...unlinked, ...change }))).toEqual({ decision, reason });
  });
});
