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
