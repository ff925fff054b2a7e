import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeItemReference, makeReference } from '../../../src/orders/facts/make-reference.ts';

const source = {
  installation: 'ab12',
  key: Buffer.alloc(32, 7),
  shop: 'demo.myshopify.com',
  shopifyOrderId: 'gid://shopify/Order/5000000000001',
  orderName: '#1001',
};

test('a reference has the installation, the order number and the part, and ends in twelve base32 characters', () => {
  expect(makeReference(source, 2, 'current')).toMatch(/^plab12-1001-2-[a-z2-7]{12}$/);
});

test('the same order and part have the same reference, also after a restore', () => {
  expect(makeReference(source, 1, 'current')).toBe(
    makeReference({ ...source, key: Buffer.from(source.key) }, 1, 'current'),
  );
});

test.each([
  ['part', source, 2],
  ['shop', { ...source, shop: 'other.myshopify.com' }, 1],
  ['order', { ...source, shopifyOrderId: 'gid://shopify/Order/5000000000002' }, 1],
  ['key', { ...source, key: Buffer.alloc(32, 8) }, 1],
])('another %s has another reference', (_, other, part) => {
  expect(makeReference(other, part, 'current').slice(-12)).not.toBe(makeReference(source, 1, 'current').slice(-12));
});

test('any order name gives a short reference of plain characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 9999 }),
      (orderName, part) => {
        const reference = makeReference({ ...source, orderName }, part, 'current');
        expect(reference).toMatch(/^plab12-[A-Za-z0-9]{1,20}-\d+-[a-z2-7]{12}$/);
        expect(reference.length).toBeLessThanOrEqual(46);
      },
    ),
  );
});

test('thousands of references of one order are all different', () => {
  const made = Array.from({ length: 3_000 }, (_, index) => makeReference(source, index + 1, 'current').slice(-12));
  expect(new Set(made).size).toBe(made.length);
});

test('a reference of v1 is a whole number from 1 to 2^31 - 1, the same for the same order and part', () => {
  const made = Array.from({ length: 3_000 }, (_, index) => makeReference(source, index + 1, 'v1'));
  for (const reference of made) {
    expect(reference).toMatch(/^[1-9][0-9]{0,9}$/);
    expect(Number(reference)).toBeLessThan(2 ** 31);
  }
  expect(makeReference(source, 1, 'v1')).toBe(made[0]);
  // The numbers are hashed, so thousands of them hardly collide.
  expect(new Set(made).size).toBeGreaterThan(2_997);
});

test('an item reference is the numeric id of its LineItem, and in v1 a whole number below 2^31', () => {
  const id = 'gid://shopify/LineItem/14567890123456';
  expect(makeItemReference(id, 'current')).toBe('14567890123456');
  expect(makeItemReference(id, 'v2')).toBe('14567890123456');
  expect(Number(makeItemReference(id, 'v1'))).toBeLessThan(2 ** 31);
  expect(makeItemReference(id, 'v1')).not.toBe(makeItemReference('gid://shopify/LineItem/14567890123457', 'v1'));
});
