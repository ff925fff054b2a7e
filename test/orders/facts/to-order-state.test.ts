import { expect, test } from 'vitest';
import type { PrintOrderState } from '../../../src/database/entities/print-orders.ts';
import { toOrderLabel, toOrderState } from '../../../src/orders/facts/to-order-state.ts';

type Facts = Parameters<typeof toOrderState>[0];

const now = new Date('2026-11-21T00:00:00Z');

function facts(
  changes: Partial<Facts> & {
    outcome?: 'waiting' | 'nothing_to_do' | 'planned';
    reason?: string;
    canceled?: boolean;
    lineVariants?: Record<string, string>;
  },
): Facts {
  const { outcome = 'planned', reason = null, canceled = false, lineVariants = {}, ...rest } = changes;
  return {
    order: { outcome, outcomeReason: reason, canceledAt: canceled ? now : null, lineVariants },
    lines: [ours(2, 0)],
    holds: [],
    printOrders: [],
    ...rest,
  };
}

function ours(orderedQuantity: number, fulfilledQuantity: number): Facts['lines'][number] {
  return { shopifyLineItemId: 'a', decision: 'ours', orderedQuantity, fulfilledQuantity };
}

function notOurs(): Facts['lines'][number] {
  return { shopifyLineItemId: 'b', decision: 'not_ours', orderedQuantity: 1, fulfilledQuantity: 0 };
}

function printOrder(state: PrintOrderState, confirmedAt: Date | null = null): Facts['printOrders'][number] {
  return { state, confirmedAt, shippedAt: null, printAgainAt: null };
}

const hold = { id: '1' };

const done = printOrder('fulfilled', now);
const sent = { ...done, shippedAt: now };
const over = { outcome: 'nothing_to_do' } as const;
const refunded = { ...over, reason: 'not_payable' } as const;
const partly = [ours(1, 1), ours(1, 0)];

test.each<[sentence: string, state: string, facts: Facts]>([
  ['an order canceled in the store', 'canceled', facts({ canceled: true, holds: [hold], lines: [ours(1, 1)] })],
  ['an order with a hold', 'held', facts({ holds: [hold], lines: [ours(1, 1)] })],
  ['an order with a held print order', 'held', facts({ printOrders: [printOrder('held', now)] })],
  ['an order without lines that Platen prints', 'nothing_to_do', facts({ lines: [notOurs()] })],
  ['a waiting order without lines of Platen', 'nothing_to_do', facts({ lines: [notOurs()], outcome: 'waiting' })],
  ['a test order', 'nothing_to_do', facts({ lines: [], ...over })],
  ['an order that no longer exists in the store', 'nothing_to_do', facts(over)],
  ['an order with all lines of Platen fulfilled', 'fulfilled', facts({ lines: [ours(2, 2), notOurs()] })],
  [
    'an unpaid order that got another line after it was fulfilled by hand',
    'waiting',
    facts({ lines: [ours(2, 2)], outcome: 'waiting', reason: 'unpaid', lineVariants: { a: 'v', added: 'v' } }),
  ],
  ['an order fulfilled by hand before printing', 'fulfilled', facts({ lines: [ours(2, 2)], ...over })],
  ['a fulfilled order with a removed line', 'fulfilled', facts({ lines: [ours(2, 2), ours(0, 0)] })],
  ['an order that was fulfilled and returned', 'fulfilled', facts({ lines: [ours(0, 2)], printOrders: [done] })],
  [
    'an order with a returned line while another print order is in progress',
    'printing',
    facts({ lines: [ours(0, 2), ours(0, 0)], printOrders: [done, printOrder('submitted', now)] }),
  ],
  ['a sent print order', 'printing', facts({ printOrders: [printOrder('quoted'), printOrder('submitted', now)] })],
  ['an order with only a draft', 'waiting', facts({ printOrders: [printOrder('submitting')] })],
  ['an undecided order', 'waiting', facts({ lines: [], outcome: 'waiting' })],
  ['an order that waits for its delay to end', 'waiting', facts({ outcome: 'waiting' })],
  ['an order whose lines were all removed', 'waiting', facts({ lines: [ours(0, 0)] })],
  [
    'an order closed after a line shipped',
    'fulfilled',
    facts({ lines: partly, printOrders: [done], ...over, reason: 'closed_in_store' }),
  ],
  [
    'an order closed before printing',
    'nothing_to_do',
    facts({ printOrders: [printOrder('failed', now)], ...over, reason: 'closed_in_store' }),
  ],
  [
    'an order refunded once a line shipped',
    'nothing_to_do',
    facts({ lines: partly, printOrders: [done], ...refunded }),
  ],
  ['a refunded order still in print', 'printing', facts({ printOrders: [printOrder('submitted', now)], ...refunded })],
])('%s has the state %s', (_, state, given) => {
  expect(toOrderState(given)).toBe(state);
});

test.each<[sentence: string, label: string, facts: Facts]>([
  ['an order refunded after it had left', 'shipped', facts({ lines: [ours(0, 0)], printOrders: [sent], ...refunded })],
  ['a fulfilled order never reported shipped', 'shipped', facts({ lines: [ours(0, 0)], printOrders: [done], ...over })],
  [
    'an order refunded before shipping',
    'nothing_to_do',
    facts({ lines: [ours(0, 0)], printOrders: [printOrder('canceled', now)], ...over }),
  ],
  ['an order on hold whose parcel has left', 'held', facts({ holds: [hold], printOrders: [sent] })],
])('%s reads "%s"', (_, label, given) => {
  expect(toOrderLabel(given)).toBe(label);
});
