import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeItemReference, computeReference } from '../../../src/orders/facts/compute-reference.ts';

const source = {
  installation: 'ab12',
  key: Buffer.alloc(32, 7),
  shop: 'demo.myshopify.com',
  shopifyOrderId: 'gid://shopify/Order/5000000000001',
  orderName: '#1001',
};

/** The place of a reference for the fulfillment order 1. */
const at = (number: number) => ({ shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/1', number });

test('a reference contains the installation, the order number and its own number, and ends with 12 Base32 characters', () => {
  expect(computeReference(source, at(2), 'current')).toMatch(/^plab12-1001-2-[a-z2-7]{12}$/);
});

test('the same fulfillment order and number always get the same reference, even after a restore', () => {
  expect(computeReference(source, at(1), 'current')).toBe(
    computeReference({ ...source, key: Buffer.from(source.key) }, at(1), 'current'),
  );
});

test.each([
  ['number', source, at(2)],
  ['fulfillment order', source, { ...at(1), shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/2' }],
  ['shop', { ...source, shop: 'other.myshopify.com' }, at(1)],
  ['order', { ...source, shopifyOrderId: 'gid://shopify/Order/5000000000002' }, at(1)],
  ['key', { ...source, key: Buffer.alloc(32, 8) }, at(1)],
])('a different %s results in a different reference', (_, other, place) => {
  expect(computeReference(other, place, 'current').slice(-12)).not.toBe(
    computeReference(source, at(1), 'current').slice(-12),
  );
});

test('any order name results in a short reference with only letters, digits and hyphens', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 9999 }),
      (orderName, number) => {
        const reference = computeReference({ ...source, orderName }, at(number), 'current');
        expect(reference).toMatch(/^plab12-[A-Za-z0-9]{1,20}-\d+-[a-z2-7]{12}$/);
        expect(reference.length).toBeLessThanOrEqual(46);
      },
    ),
  );
});

test('a v1 reference is an integer from 1 to 2^31 - 1 and never changes for the same fulfillment order and number', () => {
  const made = Array.from({ length: 3_000 }, (_, index) => computeReference(source, at(index + 1), 'v1'));
  for (const reference of made) {
    expect(reference).toMatch(/^[1-9][0-9]{0,9}$/);
    expect(Number(reference)).toBeLessThan(2 ** 31);
  }
  expect(computeReference(source, at(1), 'v1')).toBe(made[0]);
  // The references are hashes, so collisions among thousands of them are rare.
  expect(new Set(made).size).toBeGreaterThan(2_997);
});

test('an item reference is the numeric ID of its LineItem or, in v1, an integer below 2^31', () => {
  const id = 'gid://shopify/LineItem/14567890123456';
  expect(computeItemReference(id, 'current')).toBe('14567890123456');
  expect(computeItemReference(id, 'v2')).toBe('14567890123456');
  expect(Number(computeItemReference(id, 'v1'))).toBeLessThan(2 ** 31);
  expect(computeItemReference(id, 'v1')).not.toBe(computeItemReference('gid://shopify/LineItem/14567890123457', 'v1'));
});
