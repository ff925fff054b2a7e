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

describe('transitions of a print order', () => {
  test('an order that the service accepted never returns to a state that precedes acceptance', () => {
    for (const from of WAY.slice(3))
      for (const to of ['planned', 'quoted', 'submitting', 'uncertain'] as const)
        expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(false);
  });

  test('an order that the service accepted never returns to an earlier state', () => {
    for (const [index, from] of WAY.slice(3).entries())
      for (const to of WAY.slice(3, 3 + index)) expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(false);
  });
});

/** The rules of docs/rules/states.md#transitions, written independently of the transition table. */
const BEFORE: readonly PrintOrderState[] = ['planned', 'quoted', 'submitting', 'uncertain'];
const TAKEN: readonly PrintOrderState[] = ['submitted', 'in_production', 'shipped', 'shipped_no_tracking', 'fulfilled'];
const OVER: readonly PrintOrderState[] = ['canceled', 'failed'];
const ALL: readonly PrintOrderState[] = [...BEFORE, ...TAKEN, 'held', ...OVER];
/** Transitions of an unsent print order. A print order returns to an earlier state if the service turns out not to have its order. */
const STEPS = ['planned>quoted', 'quoted>planned', 'quoted>submitting', 'quoted>uncertain', 'submitting>quoted'];
const UNCLEAR = ['submitting>uncertain', 'uncertain>quoted', 'uncertain>submitting'];

function mayBecome(from: PrintOrderState, to: PrintOrderState): boolean {
  if (from === to) return false;
  if (OVER.includes(to)) return true;
  if (to === 'held') return !OVER.includes(from);
  if (from === 'held') return true;
  if (OVER.includes(from)) return TAKEN.indexOf(to) >= 0 && TAKEN.indexOf(to) <= 2;
  if (BEFORE.includes(to)) return [...STEPS, ...UNCLEAR].includes(`${from}>${to}`);
  // An unsent order that is found at the service may already be in a later state.
  if (BEFORE.includes(from))
    return to === 'submitted' || (['submitting', 'uncertain'].includes(from) && TAKEN.indexOf(to) <= 2);
  // The tracking code arrived after the order was shipped without one.
  if (from === 'shipped_no_tracking' && to === 'shipped') return true;
  return TAKEN.indexOf(to) > TAKEN.indexOf(from);
}

test.each(ALL)('from %s, the table allows only the documented transitions', (from) => {
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
])("the service's status %s maps to the state %s", (status, state) => {
  expect(toPrintOrderState(status)).toBe(state);
});
