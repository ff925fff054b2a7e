import { expect, test } from 'vitest';
import { countRemainingForDrafts } from '../../../../src/orders/plan/decide/count-remaining-for-drafts.ts';
import { atOtherService, fulfillmentOrder, lineItem, planInput } from '../plan-input.ts';
import { knownPrint } from '../../print-order-row.ts';

/** A draft edit that a person has accepted. */
const unconfirmed = { confirmStartedAt: null, confirmedAt: null, state: 'submitting' } as const;
const agreed = knownPrint(unconfirmed, {}, { acceptedDraftEdit: 'x' });

function leftOf(units: number, others: ReturnType<typeof knownPrint>[], more: object = {}): number | undefined {
  const { shop, order } = planInput({
    lineItems: [lineItem('a', { currentQuantity: units, unfulfilledQuantity: units })],
    fulfillmentOrders: [fulfillmentOrder('fo', { a: units }, more)],
  });
  const now = { order, locationId: shop.locationId, formerLocationIds: [], printsAtMerchantLocations: true };
  return countRemainingForDrafts(now, [agreed, ...others]).get('a');
}

test('a draft may have as many units as its line has left in the store, regardless of how many were sent', () => {
  expect(leftOf(3, [])).toBe(3);
  expect(leftOf(1, [])).toBe(1);
  expect(leftOf(0, [])).toBe(0);
});

test('units in another print order are left for a draft only if that print order has ended or can be withdrawn', () => {
  expect(leftOf(3, [knownPrint({ id: '2' })])).toBe(1);
  expect(leftOf(3, [knownPrint({ id: '2', fencedAt: new Date() })])).toBe(3);
  const unsent = { ...unconfirmed, id: '2', state: 'quoted' } as const;
  expect(leftOf(3, [knownPrint(unsent)])).toBe(3);
  expect(leftOf(3, [knownPrint(unsent, {}, { draftEdit: 'x' })])).toBe(1);
});

test("no units of a line are left for a draft if the line's fulfillment was moved to another service", () => {
  expect(leftOf(3, [], atOtherService)).toBe(0);
});
