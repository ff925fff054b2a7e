import { expect, test } from 'vitest';
import { decideLine, type LineFacts } from '../../../src/orders/plan/decide-line.ts';

const variant = { id: 'v' };
const facts = (change: Partial<LineFacts>): LineFacts => ({
  line: { requiresShipping: true, isGiftCard: false, variant },
  hasPrintLink: true,
  connection: null,
  atOurLocation: true,
  ...change,
});
const OURS = { decision: 'ours', reason: null };

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
    'a gift card is not ours, whatever its link',
    { line: { requiresShipping: true, isGiftCard: true, variant } },
    'not_ours',
    'gift_card',
  ],
  [
    'a custom line is not ours',
    { line: { requiresShipping: true, isGiftCard: false, variant: null } },
    'not_ours',
    'custom_line',
  ],
  [
    'a line that needs no shipping is not ours',
    { line: { requiresShipping: false, isGiftCard: false, variant } },
    'not_ours',
    'needs_no_shipping',
  ],
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
