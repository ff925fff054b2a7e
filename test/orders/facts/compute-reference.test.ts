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

test('a reference contains the installation, order number and part, and ends with 12 Base32 characters', () => {
  expect(computeReference(source, 2, 'current')).toMatch(/^plab12-1001-2-[a-z2-7]{12}$/);
});

test('the same order and part always get the same reference, even after a restore', () => {
  expect(computeReference(source, 1, 'current')).toBe(
    computeReference({ ...source, key: Buffer.from(source.key) }, 1, 'current'),
  );
});

test.each([
  ['part', source, 2],
  ['shop', { ...source, shop: 'other.myshopify.com' }, 1],
  ['order', { ...source, shopifyOrderId: 'gid://shopify/Order/5000000000002' }, 1],
  ['key', { ...source, key: Buffer.alloc(32, 8) }, 1],
])('a different %s results in a different reference', (_, other, part) => {
  expect(computeReference(other, part, 'current').slice(-12)).not.toBe(
    computeReference(source, 1, 'current').slice(-12),
  );
});

test('any order name results in a short reference with only letters, digits and hyphens', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 9999 }),
      (orderName, part) => {
        const reference = computeReference({ ...source, orderName }, part, 'current');
        expect(reference).toMatch(/^plab12-[A-Za-z0-9]{1,20}-\d+-[a-z2-7]{12}$/);
        expect(reference.length).toBeLessThanOrEqual(46);
      },
    ),
  );
});

test('a v1 reference is an integer from 1 to 2^31 - 1 and never changes for the same order and part', () => {
  const made = Array.from({ length: 3_000 }, (_, index) => computeReference(source, index + 1, 'v1'));
  for (const reference of made) {
    expect(reference).toMatch(/^[1-9][0-9]{0,9}$/);
    expect(Number(reference)).toBeLessThan(2 ** 31);
  }
  expect(computeReference(source, 1, 'v1')).toBe(made[0]);
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
