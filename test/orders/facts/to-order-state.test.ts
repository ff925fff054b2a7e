import { expect, test } from 'vitest';
import type { PrintOrderState } from '../../../src/database/entities/print-orders.ts';
import { toOrderLabel, toOrderState } from '../../../src/orders/facts/to-order-state.ts';

type Facts = Parameters<typeof toOrderState>[0];

const now = new Date('2026-11-21T00:00:00Z');

function facts(
  changes: Partial<Facts> & { outcome?: 'waiting' | 'nothing_to_do' | 'planned'; reason?: string; canceled?: boolean },
): Facts {
  const { outcome = 'planned', reason = null, canceled = false, ...rest } = changes;
  return {
    order: { outcome, outcomeReason: reason, canceledAt: canceled ? now : null },
    lines: [ours(2, 0)],
    holds: [],
    printOrders: [],
    ...rest,
  };
}

function ours(orderedQuantity: number, fulfilledQuantity: number): Facts['lines'][number] {
  return { decision: 'ours', orderedQuantity, fulfilledQuantity };
}

function notOurs(): Facts['lines'][number] {
  return { decision: 'not_ours', orderedQuantity: 1, fulfilledQuantity: 0 };
}

function printOrder(state: PrintOrderState, confirmedAt: Date | null = null): Facts['printOrders'][number] {
  return { state, confirmedAt, shippedAt: null, printAgainAt: null };
}

const hold = { id: '1' };

test.each<[sentence: string, state: string, facts: Facts]>([
  ['an order canceled in the store', 'canceled', facts({ canceled: true, holds: [hold], lines: [ours(1, 1)] })],
  ['an order with a hold', 'held', facts({ holds: [hold], lines: [ours(1, 1)] })],
  ['an order with a held print order', 'held', facts({ printOrders: [printOrder('held', now)] })],
  ['an order without lines that Platen prints', 'nothing_to_do', facts({ lines: [notOurs()] })],
  [
    'a waiting order without lines that Platen prints',
    'nothing_to_do',
    facts({ lines: [notOurs()], outcome: 'waiting' }),
  ],
  ['a test order', 'nothing_to_do', facts({ lines: [], outcome: 'nothing_to_do' })],
  ['an order that no longer exists in the store', 'nothing_to_do', facts({ outcome: 'nothing_to_do' })],
  [
    'an order in which all lines that Platen prints are fulfilled',
    'fulfilled',
    facts({ lines: [ours(2, 2), notOurs()] }),
  ],
  [
    'an order fulfilled by hand before anything was printed',
    'fulfilled',
    facts({ lines: [ours(2, 2)], outcome: 'nothing_to_do' }),
  ],
  [
    'an order whose lines are all fulfilled except a removed line',
    'fulfilled',
    facts({ lines: [ours(2, 2), ours(0, 0)] }),
  ],
  [
    'an order whose lines were all fulfilled and then returned',
    'fulfilled',
    facts({ lines: [ours(0, 2)], printOrders: [printOrder('fulfilled', now)] }),
  ],
  [
    'an order with a returned line while another print order is in progress',
    'printing',
    facts({
      lines: [ours(0, 2), ours(0, 0)],
      printOrders: [printOrder('fulfilled', now), printOrder('submitted', now)],
    }),
  ],
  [
    'an order with a confirmed print order',
    'printing',
    facts({ lines: [ours(2, 1)], printOrders: [printOrder('quoted'), printOrder('submitted', now)] }),
  ],
  ['an order with only a draft', 'waiting', facts({ printOrders: [printOrder('submitting')] })],
  ['an undecided order', 'waiting', facts({ lines: [], outcome: 'waiting' })],
  ['an order that waits for its delay to end', 'waiting', facts({ outcome: 'waiting' })],
  ['an order whose lines were all removed', 'waiting', facts({ lines: [ours(0, 0)] })],
  [
    'an order with one line shipped and the rest closed in the store',
    'fulfilled',
    facts({
      lines: [ours(1, 1), ours(1, 0)],
      printOrders: [printOrder('fulfilled', now)],
      outcome: 'nothing_to_do',
      reason: 'closed_in_store',
    }),
  ],
  [
    'an order that was closed in the store before anything was printed',
    'nothing_to_do',
    facts({ printOrders: [printOrder('failed', now)], outcome: 'nothing_to_do', reason: 'closed_in_store' }),
  ],
  [
    'an order that was refunded after one line was shipped',
    'nothing_to_do',
    facts({
      lines: [ours(1, 1), ours(1, 0)],
      printOrders: [printOrder('fulfilled', now)],
      outcome: 'nothing_to_do',
      reason: 'not_payable',
    }),
  ],
  [
    'a refunded order that is still being printed',
    'printing',
    facts({ printOrders: [printOrder('submitted', now)], outcome: 'nothing_to_do', reason: 'not_payable' }),
  ],
])('%s has the state %s', (_, state, given) => {
  expect(toOrderState(given)).toBe(state);
});

test.each<[sentence: string, label: string, facts: Facts]>([
  [
    'an order whose items were refunded after the parcel had left',
    'shipped',
    facts({
      lines: [ours(0, 0)],
      printOrders: [{ ...printOrder('fulfilled', now), shippedAt: now }],
      outcome: 'nothing_to_do',
      reason: 'not_payable',
    }),
  ],
  [
    'an order that is fulfilled at the service, although its shipping was never reported',
    'shipped',
    facts({ lines: [ours(0, 0)], printOrders: [printOrder('fulfilled', now)], outcome: 'nothing_to_do' }),
  ],
  [
    'an order whose items were refunded before anything shipped',
    'nothing_to_do',
    facts({ lines: [ours(0, 0)], printOrders: [printOrder('canceled', now)], outcome: 'nothing_to_do' }),
  ],
  [
    'an order on hold whose parcel has left',
    'held',
    facts({ holds: [hold], printOrders: [{ ...printOrder('fulfilled', now), shippedAt: now }] }),
  ],
])('%s reads "%s"', (_, label, given) => {
  expect(toOrderLabel(given)).toBe(label);
});
