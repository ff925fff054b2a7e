import { expect, test } from 'vitest';
import { describeApproval } from '../../../src/orders/manual-actions/describe-approval.ts';

type Facts = Parameters<typeof describeApproval>[1];

const AT = new Date('2026-11-23T00:00:00Z');
const printOrder = (state: Facts['printOrders'][number]['state'], isShipped = false) => ({
  id: '1',
  state,
  confirmedAt: AT,
  shippedAt: isShipped ? AT : null,
  fencedAt: null,
  printAgainAt: null,
});
const facts = (change: Partial<Facts> = {}): Facts => ({
  lines: [{ shopifyLineItemId: 'a', decision: 'ours', orderedQuantity: 2, fulfilledQuantity: 0 }],
  units: [
    { printOrderId: '1', shopifyLineItemId: 'a', quantity: 2, unitsAgain: 0, printAgainAt: null, fulfilledBefore: 0 },
  ],
  printOrders: [printOrder('submitted')],
  isTest: false,
  ...change,
});
const fulfilled = [{ shopifyLineItemId: 'a', decision: 'ours' as const, orderedQuantity: 2, fulfilledQuantity: 2 }];
const more = [{ shopifyLineItemId: 'a', decision: 'ours' as const, orderedQuantity: 3, fulfilledQuantity: 0 }];

const APPROVED = 'is approved: Platen prints it unless something else holds it.';
const draft = { ...printOrder('submitting'), confirmedAt: null };
const done = { lines: fulfilled, printOrders: [printOrder('fulfilled', true)] };
const SHIPPED = [printOrder('shipped', true)];

test.each<[string, Partial<Facts>, string]>([
  ['with nothing sent', { printOrders: [], units: [] }, APPROVED],
  ['with a draft', { printOrders: [draft] }, APPROVED],
  ['with units to print', { lines: more }, APPROVED],
  ['that was sent', {}, 'was already sent to print: the approval changes nothing.'],
  ['that is shipped', { printOrders: SHIPPED }, 'has already shipped: the approval changes nothing.'],
  ['that is fulfilled', done, 'is already fulfilled: the approval changes nothing.'],
  ['marked as a test', { isTest: true }, 'is a test order: its draft stays at the print service and is not printed.'],
])('approving an order %s returns a message that describes the effect', (_, change, sentence) => {
  expect(describeApproval('#1001', facts(change))).toBe(`#1001 ${sentence}`);
});
