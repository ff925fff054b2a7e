import { describe, expect, test } from 'vitest';
import type { PrintOrderState } from '../../src/database/print-orders.ts';
import { isAllowedTransition, toPrintOrderState } from '../../src/orders/order-state.ts';

const WAY: PrintOrderState[] = [
  'planned',
  'quoted',
  'submitting',
  'submitted',
  'in_production',
  'shipped',
  'fulfilled',
];

describe('the way of a print order', () => {
  test.each(WAY.slice(0, -1).map((from, index) => [from, WAY[index + 1] ?? from] as const))(
    '%s may become %s',
    (from, to) => {
      expect(isAllowedTransition(from, to)).toBe(true);
    },
  );

  test.each(WAY)('%s may be held, may fail and may be cancelled', (from) => {
    expect(isAllowedTransition(from, 'held')).toBe(true);
    expect(isAllowedTransition(from, 'failed')).toBe(true);
    expect(isAllowedTransition(from, 'canceled')).toBe(true);
  });

  test('what the service has taken never goes back to before it was sent', () => {
    for (const from of WAY.slice(3))
      for (const to of ['planned', 'quoted', 'submitting', 'uncertain'] as const)
        expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(false);
  });

  test('what is further never goes back along the way', () => {
    for (const [index, from] of WAY.slice(3).entries())
      for (const to of WAY.slice(3, 3 + index)) expect(isAllowedTransition(from, to), `${from} → ${to}`).toBe(false);
  });

  test('a cancelled or failed one that turns out to be there is followed', () => {
    expect(isAllowedTransition('canceled', 'submitted')).toBe(true);
    expect(isAllowedTransition('failed', 'submitted')).toBe(true);
  });

  test('an unclear create may end in either way, or in a person’s hands', () => {
    for (const to of ['submitted', 'quoted', 'held'] as const) expect(isAllowedTransition('uncertain', to)).toBe(true);
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
  ['returned', 'held'],
  ['draft', null],
  ['a status of tomorrow', null],
])('the service’s status %s stands for %s', (status, state) => {
  expect(toPrintOrderState(status)).toBe(state);
});
