import { expect, test } from 'vitest';
import type { PrintOrderState } from '../../../src/database/entities/print-orders.ts';
import { toOrderState } from '../../../src/orders/facts/to-order-state.ts';

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
  return { state, confirmedAt, printAgainAt: null };
}

const hold = { id: '1' };

test.each<[sentence: string, state: string, facts: Facts]>([
  ['an order cancelled in the store', 'canceled', facts({ canceled: true, holds: [hold], lines: [ours(1, 1)] })],
  ['an order of which something is held', 'held', facts({ holds: [hold], lines: [ours(1, 1)] })],
  ['an order with a held print order', 'held', facts({ printOrders: [printOrder('held', now)] })],
  ['an order without a line of ours', 'nothing_to_do', facts({ lines: [notOurs()] })],
  ['an order without a line of ours that waits', 'nothing_to_do', facts({ lines: [notOurs()], outcome: 'waiting' })],
  ['a test order', 'nothing_to_do', facts({ lines: [], outcome: 'nothing_to_do' })],
  ['an order of ours that the store no longer has', 'nothing_to_do', facts({ outcome: 'nothing_to_do' })],
  ['an order whose every line of ours is fulfilled', 'fulfilled', facts({ lines: [ours(2, 2), notOurs()] })],
  [
    'an order fulfilled by hand before anything was printed',
    'fulfilled',
    facts({ lines: [ours(2, 2)], outcome: 'nothing_to_do' }),
  ],
  ['an order fulfilled but for a line taken out', 'fulfilled', facts({ lines: [ours(2, 2), ours(0, 0)] })],
  [
    'an order whose every line was fulfilled and then returned',
    'fulfilled',
    facts({ lines: [ours(0, 2)], printOrders: [printOrder('fulfilled', now)] }),
  ],
  [
    'an order with a returned line while another print order is under way',
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
  ['an order with a draft alone', 'waiting', facts({ printOrders: [printOrder('submitting')] })],
  ['an order that is not decided yet', 'waiting', facts({ lines: [], outcome: 'waiting' })],
  ['an order of ours that waits for its delay', 'waiting', facts({ outcome: 'waiting' })],
  ['an order whose lines were all taken out', 'waiting', facts({ lines: [ours(0, 0)] })],
  [
    'an order of which one line was shipped and the rest closed in the store',
    'fulfilled',
    facts({
      lines: [ours(1, 1), ours(1, 0)],
      printOrders: [printOrder('fulfilled', now)],
      outcome: 'nothing_to_do',
      reason: 'closed_in_store',
    }),
  ],
  [
    'an order of which nothing was made and all is closed in the store',
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
])('%s is %s', (_, state, given) => {
  expect(toOrderState(given)).toBe(state);
});
