import { describe, expect, test } from 'vitest';
import { findChange, type CurrentOrder, type SentPrint } from '../../../../src/orders/plan/decide/find-change.ts';
import type { StoreReading } from '../../../../src/orders/facts/store-reading.ts';
import { ADDRESS, atMerchant, atOtherService, fulfillmentOrder, lineItem, planInput } from '../plan-input.ts';

function print(id: string, quantity: number, change: Partial<SentPrint> = {}, fulfilledBefore = 0): SentPrint {
  const line = { shopifyLineItemId: 'a', sku: 'POSTER', quantity, fulfilledBefore };
  return { id, lines: [line], address: ADDRESS, ...change };
}

/** Returns an order with one line in its current state in the store. */
function now(unfulfilled: number, change: Partial<CurrentOrder> = {}, order: Partial<StoreReading> = {}): CurrentOrder {
  const lineItems = [lineItem('a', { currentQuantity: unfulfilled, unfulfilledQuantity: unfulfilled })];
  const { shop, order: reading } = planInput({
    lineItems,
    fulfillmentOrders: [fulfillmentOrder('fo', { a: unfulfilled })],
    ...order,
  });
  const place = { locationId: shop.locationId, formerLocationIds: [], printsAtMerchantLocations: true };
  return { order: reading, address: ADDRESS, unfit: null, ...place, ...change };
}

const messageOf = (order: CurrentOrder, sent: SentPrint, others: SentPrint[] = []): string | null =>
  findChange(order, sent, [...others, sent])?.message ?? null;
const fulfilled = (quantity: number) => ({
  fulfillments: [
    {
      id: 'f',
      createdAt: '2026-11-01T00:00:00Z',
      status: 'SUCCESS',
      trackingCodes: [],
      lines: [{ lineItem: { id: 'a' }, quantity }],
    },
  ],
});

describe('the units of a sent order', () => {
  test('the message about removed units states the printed quantity and the wanted quantity', () => {
    expect(messageOf(now(1), print('1', 2))).toBe(
      'SKU POSTER: 1 of the 2 units in this print order is no longer wanted.',
    );
    expect(messageOf(now(0), print('1', 1))).toBe('SKU POSTER: the unit in this print order is no longer wanted.');
  });

  test('units of a line that the store no longer returns count as no longer wanted', () => {
    expect(messageOf(now(0, {}, { lineItems: [] }), print('1', 2))).toContain(
      'the 2 units in this print order are no longer wanted',
    );
  });

  test('fulfilled units do not count as a difference, regardless of returns and of who fulfilled them', () => {
    expect(messageOf(now(0, {}, fulfilled(2)), print('1', 2))).toBeNull();
    expect(messageOf(now(1, {}, fulfilled(1)), print('1', 2))).toBeNull();
    expect(messageOf(now(0, {}, fulfilled(1)), print('1', 2))).toBe(
      'SKU POSTER: the unit in this print order is no longer wanted.',
    );
  });

  test('surplus units are attributed only to the newest print order', () => {
    const [first, second] = [print('1', 2), print('2', 1)];
    expect(findChange(now(2), first, [first, second])).toBeNull();
    expect(findChange(now(2), second, [first, second])?.lines).toEqual([{ sku: 'POSTER', printing: 1, ordered: 0 }]);
    expect(findChange(now(1), first, [first, second])?.lines).toEqual([{ sku: 'POSTER', printing: 2, ordered: 1 }]);
  });

  test('no difference is found while the store is still assigning the fulfillment order to a location', () => {
    expect(messageOf(now(2, {}, { fulfillmentOrders: [] }), print('1', 2))).toBeNull();
  });
});

describe('the location of a sent order', () => {
  const at = (place: object, remaining = 2) => ({
    fulfillmentOrders: [fulfillmentOrder('fo', { a: remaining }, place)],
  });

  test('the message about units moved to another service states their number', () => {
    expect(messageOf(now(2, {}, at(atOtherService)), print('1', 2))).toBe(
      'SKU POSTER: 2 units are being printed, but their fulfillment was moved in the store to a location where Platen does not print.',
    );
  });

  test("a move to the merchant's location does not count as a difference if Platen also prints there", () => {
    expect(messageOf(now(2, {}, at(atMerchant)), print('1', 2))).toBeNull();
    const elsewhere = now(2, { printsAtMerchantLocations: false }, at(atMerchant));
    // The location was Platen's until someone deleted its fulfillment service.
    const formerLocationIds = [atMerchant.assignedLocation.location.id];
    expect(messageOf({ ...elsewhere, formerLocationIds }, print('1', 2))).toBeNull();
    expect(messageOf(elsewhere, print('1', 2))).toContain('was moved');
  });
});

describe('the address of a sent order', () => {
  test('the message names the changed fields but not their values', () => {
    const moved = { ...ADDRESS, city: 'Evanston', postCode: '60201' };
    const message = messageOf(now(2, { address: moved }), print('1', 2));
    expect(message).toBe(
      'The shipping address was changed (postal code, city) after the order was sent to print. The parcel will go to the old address.',
    );
    expect(message).not.toMatch(/Evanston|60201|Chicago/);
  });

  test('a reformatted address, a new email address or a new phone number does not count as a difference', () => {
    const same = { ...ADDRESS, addressLine1: '233 south  wacker drive.', email: 'a@b.example', phone: '+13125550100' };
    expect(messageOf(now(2, { address: same }), print('1', 2))).toBeNull();
  });

  test('an address that can no longer be sent counts as a changed address', () => {
    expect(messageOf(now(2, { address: null, unfit: 'city' }), print('1', 2))).toContain('(city)');
    expect(messageOf(now(2, { address: null, unfit: 'shippingAddress' }), print('1', 2))).toContain('(all of it)');
  });

  test('an address that is hidden or erased is not compared', () => {
    expect(messageOf(now(2, { address: null }), print('1', 2))).toBeNull();
    expect(messageOf(now(2), print('1', 2, { address: null }))).toBeNull();
  });

  test('the address is not compared once the package is fulfilled', () => {
    const elsewhere = { ...ADDRESS, city: 'Evanston' };
    expect(messageOf(now(0, { address: elsewhere }, fulfilled(2)), print('1', 2))).toBeNull();
  });
});

test('each difference has its own hash, which is the same in every plan', () => {
  const sign = (order: CurrentOrder) => findChange(order, print('1', 3), [print('1', 3)])?.sha256;
  const city = (name: string) => now(3, { address: { ...ADDRESS, city: name } });
  const signs = [now(1), now(2), city('Evanston'), city('Oak Park'), now(3, { address: null, unfit: 'city' })].map(
    sign,
  );
  expect(new Set(signs).size).toBe(5);
  expect(sign(now(1))).toBe(signs[0]);
});
