import { describe, expect, test } from 'vitest';
import type { PrintOrderState } from '../../../src/database/entities/print-orders.ts';
import { isAllowedTransition, toPrintOrderState } from '../../../src/orders/facts/order-state.ts';

const WAY: PrintOrderState[] = [
  'planned',
  'quoted',
  'submitting',
  'submitted',
  'in_production',
  'shipped',
  'fulfilled',
];

describe('the path of a print order', () => {
  test.each(WAY.slice(0, -1).map((from, index) => [from, WAY[index + 1] ?? from] as const))(
    '%s may become %s',
    (from, to) => {
      expect(isAllowedTransition(from, to)).toBe(true);
    },
  );

  test.each(WAY)('%s may be held, fail and be canceled', (from) => {
    expect(isAllowedTransition(from, 'held')).toBe(true);
    expect(isAllowedTransition(from, 'failed')).toBe(true);
    expect(isAllowedTransition(from, 'canceled')).toBe(true);
  });

  test('an order that the service accepted never returns to a state before sending', () => {
    for (const from of WAY.slice(3))
      for (const to of ['planned', 'quoted', 'submitting', 'uncertain'] as const)
        expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(false);
  });

  test('a state never moves back along the path', () => {
    for (const [index, from] of WAY.slice(3).entries())
      for (const to of WAY.slice(3, 3 + index)) expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(false);
  });

  test('a canceled or failed order that turns out to exist is followed', () => {
    expect(isAllowedTransition('canceled', 'submitted')).toBe(true);
    expect(isAllowedTransition('failed', 'submitted')).toBe(true);
  });

  test('an unclear create call may end in either way, or be held', () => {
    for (const to of ['submitted', 'quoted', 'held'] as const) expect(isAllowedTransition('uncertain', to)).toBe(true);
  });
});

/** The rules of docs/rules/states.md#transitions, in another form than the table. */
const BEFORE: readonly PrintOrderState[] = ['planned', 'quoted', 'submitting', 'uncertain'];
const TAKEN: readonly PrintOrderState[] = ['submitted', 'in_production', 'shipped', 'shipped_no_tracking', 'fulfilled'];
const OVER: readonly PrintOrderState[] = ['canceled', 'failed'];
const ALL: readonly PrintOrderState[] = [...BEFORE, ...TAKEN, 'held', ...OVER];
/** An unsent print order advances by its quote, and returns to it once it is proven not to be at the service. */
const STEPS = ['planned>quoted', 'quoted>planned', 'quoted>submitting', 'quoted>uncertain', 'submitting>quoted'];
const UNCLEAR = ['submitting>uncertain', 'uncertain>quoted', 'uncertain>submitting'];

function mayBecome(from: PrintOrderState, to: PrintOrderState): boolean {
  if (from === to) return false;
  if (OVER.includes(to)) return true;
  if (to === 'held') return !OVER.includes(from);
  if (from === 'held') return true;
  if (OVER.includes(from)) return TAKEN.indexOf(to) >= 0 && TAKEN.indexOf(to) <= 2;
  if (BEFORE.includes(to)) return [...STEPS, ...UNCLEAR].includes(`${from}>${to}`);
  // Found at the service: an order that was already sent may be further along.
  if (BEFORE.includes(from))
    return to === 'submitted' || (['submitting', 'uncertain'].includes(from) && TAKEN.indexOf(to) <= 2);
  // A tracking code arrived after all.
  if (from === 'shipped_no_tracking' && to === 'shipped') return true;
  return TAKEN.indexOf(to) > TAKEN.indexOf(from);
}

test.each(ALL)('from %s the table allows only the documented transitions', (from) => {
  for (const to of ALL) expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(mayBecome(from, to));
});

test.each([
  ['created', 'submitted'],
  ['uploading', 'submitted'],
  ['passed', 'in_production'],
  ['printed', 'in_production'],
  ['shipped', 'shipped'],
  ['in_transit', 'shipped'],
  ['delivered', 'shipped'],
  ['canceled', 'canceled'],
  ['failed', 'failed'],
  ['on_hold', 'held'],
  ['pending_approval', 'held'],
  ['returned', 'shipped'],
  ['draft', null],
  ['a future status', null],
])("the service's status %s stands for %s", (status, state) => {
  expect(toPrintOrderState(status)).toBe(state);
});
