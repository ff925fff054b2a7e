import { describe, expect, test } from 'vitest';
import type { Deviation } from '../../../../src/database/entities/print-orders.ts';
import { planCancellations, planForeignRejections } from '../../../../src/orders/plan/decide/plan-cancellations.ts';
import type { StoreFulfillmentOrder } from '../../../../src/orders/facts/store-reading.ts';
import { atOtherService, fulfillmentOrder, planInput } from '../plan-input.ts';
import { knownPrint } from '../../print-order-row.ts';

const { locationId } = planInput().shop;
const WHEN = new Date('2026-11-21T11:30:00Z');
const REFUSED = { cancelRefusedAt: WHEN, cancelRefusedWhy: 'the print service is already printing it' };
const asked = (id: string, change: Partial<StoreFulfillmentOrder> = {}) =>
  fulfillmentOrder(id, { a: 2 }, { status: 'IN_PROGRESS', requestStatus: 'CANCELLATION_REQUESTED', ...change });

function answer(prints: Parameters<typeof planCancellations>[2], others: StoreFulfillmentOrder[] = []) {
  return planCancellations({ fulfillmentOrders: [asked('fo'), ...others], fulfillments: [] }, locationId, prints)[0];
}

describe('a request to cancel a fulfillment', () => {
  test('a cancellation request is accepted immediately if none of its units are in print', () => {
    expect(answer([])).toMatchObject({ answer: 'accept', printOrderIds: [] });
  });

  test('a cancellation request waits while one of its print orders can still be stopped', () => {
    expect(answer([knownPrint()])).toMatchObject({ answer: 'wait', printOrderIds: ['1'] });
    expect(answer([knownPrint({ cancelRequestedAt: WHEN })])).toMatchObject({ answer: 'wait' });
    expect(answer([knownPrint({ closedAt: WHEN, state: 'held' })])).toMatchObject({ answer: 'wait' });
  });

  test('a cancellation request is accepted once its print orders are proven gone, and the message names the orders', () => {
    const gone = knownPrint({ fencedAt: WHEN, closedAt: WHEN, closedReason: 'canceled', state: 'canceled' });
    expect(answer([gone])).toMatchObject({ answer: 'accept', message: 'Stopped before printing: pl-1.' });
  });

  test('a cancellation request is rejected as soon as a print order cannot be stopped, and the rejection states the reason', () => {
    const kept = knownPrint({}, {}, REFUSED);
    const gone = knownPrint({ id: '2', reference: 'pl-2', fencedAt: WHEN, closedReason: 'cancellation_requested' });
    const open = knownPrint({ id: '3', reference: 'pl-3', cancelRequestedAt: WHEN });
    const said = answer([kept, gone, open]);
    expect(said).toMatchObject({ answer: 'reject', printOrderIds: ['1', '2', '3'] });
    expect(said?.message).toBe(
      'pl-1 cannot be canceled: the print service is already printing it. Canceled in time: pl-2. Being canceled: pl-3. ' +
        "Cancel it in the print service's dashboard if that is still possible. Otherwise, agree with the buyer on what to do.",
    );
  });

  test('a cancellation request ignores print orders that are already fulfilled or were canceled by the service', () => {
    const prints = [knownPrint({ state: 'fulfilled', shippedAt: WHEN }), knownPrint({ id: '2', state: 'canceled' })];
    const lines = [{ quantity: 2, lineItem: { id: 'a' } }];
    const order = {
      fulfillmentOrders: [asked('fo')],
      fulfillments: [{ id: 'f', createdAt: '2026-11-01T00:00:00Z', status: 'SUCCESS', trackingCodes: [], lines }],
    };
    expect(planCancellations(order, locationId, prints)).toMatchObject([{ answer: 'accept' }]);
  });

  test('a cancellation request is rejected if its units have shipped and someone then canceled their fulfillment', () => {
    const said = answer([knownPrint({ state: 'fulfilled', shippedAt: WHEN })]);
    expect(said).toMatchObject({ answer: 'reject', printOrderIds: ['1'] });
    expect(said?.message).toContain('pl-1 cannot be canceled: it has left the print service.');
    // Someone has chosen to print the units again, and that print order decides.
    expect(answer([knownPrint({ state: 'fulfilled', shippedAt: WHEN, printAgainAt: WHEN })])).toMatchObject({
      answer: 'accept',
    });
  });

  test('a cancellation request is matched to a print order by LineItem if the old fulfillment order is gone', () => {
    const moved = knownPrint({ shopifyFulfillmentOrderId: 'before' });
    expect(answer([moved])).toMatchObject({ answer: 'wait', printOrderIds: ['1'] });
    expect(answer([moved], [fulfillmentOrder('before', { a: 2 })])).toMatchObject({ answer: 'accept' });
  });

  test('a cancellation request is rejected if a print order contains both its units and units that are still wanted', () => {
    const sent = knownPrint({ shopifyFulfillmentOrderId: 'home' }, { quantity: 3 });
    const home = fulfillmentOrder('home', { a: 1 });
    const said = answer([sent], [home]);
    expect(said).toMatchObject({ answer: 'reject', printOrderIds: [] });
    expect(said?.message).toContain('pl-1 cannot be canceled: these units are printed together with others');
    // The other fulfillment order still needs every unit that is in print, so none of these units belong to this request.
    expect(answer([sent], [fulfillmentOrder('home', { a: 3 })])).toMatchObject({ answer: 'accept' });
    // An unsent print order is planned again with the remaining units.
    const unsent = { state: 'quoted', confirmStartedAt: null, confirmedAt: null } as const;
    const planned = knownPrint({ ...unsent, shopifyFulfillmentOrderId: 'home' }, { quantity: 3 });
    expect(answer([planned], [home])).toMatchObject({ answer: 'accept' });
  });

  test('a cancellation request waits if its units are in a print order that is being canceled entirely', () => {
    const home = fulfillmentOrder('home', { a: 1 }, { requestStatus: 'CANCELLATION_REQUESTED' });
    const sent = (change: object, deviation: Partial<Deviation> = {}) =>
      knownPrint({ shopifyFulfillmentOrderId: 'home', ...change }, { quantity: 3 }, deviation);
    expect(answer([sent({})], [home])).toMatchObject({ answer: 'wait', printOrderIds: [] });
    expect(answer([sent({ cancelRequestedAt: WHEN })], [home])).toMatchObject({ answer: 'wait' });
    const kept = sent({}, REFUSED);
    expect(answer([kept], [home])).toMatchObject({ answer: 'reject' });
  });

  test('a cancellation request gets no answer if its fulfillment order has been fulfilled', () => {
    const closed = { fulfillmentOrders: [asked('fo', { status: 'CLOSED' })], fulfillments: [] };
    expect(planCancellations(closed, locationId, [knownPrint({ state: 'fulfilled' })])).toEqual([]);
  });

  test('a cancellation request is ignored if its fulfillment order is at another service', () => {
    const elsewhere = { fulfillmentOrders: [asked('fo', atOtherService)], fulfillments: [] };
    expect(planCancellations(elsewhere, locationId, [knownPrint()])).toEqual([]);
  });
});

test('a fulfillment request is rejected if none of its lines is printed by Platen', () => {
  const line = (id: string, decision: 'ours' | 'not_ours') => ({
    shopifyVariantId: null,
    shopifyProductId: null,
    shopifyLineItemId: id,
    sku: null,
    decision,
    reason: null,
    orderedQuantity: 2,
    fulfilledQuantity: 0,
  });
  const order = {
    fulfillmentOrders: [
      fulfillmentOrder('foreign', { x: 1 }, { requestStatus: 'SUBMITTED' }),
      fulfillmentOrder('mixed', { x: 1, a: 2 }, { requestStatus: 'SUBMITTED' }),
      fulfillmentOrder('unasked', { x: 1 }, { requestStatus: 'UNSUBMITTED' }),
    ],
  };
  const rejections = planForeignRejections(order, locationId, [line('x', 'not_ours'), line('a', 'ours')]);
  expect(rejections).toMatchObject([{ shopifyFulfillmentOrderId: 'foreign', reason: 'INELIGIBLE_PRODUCT' }]);
});

test('a request to cancel units that an earlier installation printed is rejected', () => {
  const { order, shop } = planInput({
    fulfillmentOrders: [fulfillmentOrder('fo', { a: 2 }, { requestStatus: 'CANCELLATION_REQUESTED' })],
  });
  const answer = (units: [string, number][]) => planCancellations(order, shop.locationId, [], new Map(units));
  expect(answer([['a', 1]])).toMatchObject([
    { answer: 'reject', message: expect.stringContaining('went to print before Platen was removed') },
  ]);
  expect(answer([['b', 1]])).toMatchObject([{ answer: 'accept' }]);
});
