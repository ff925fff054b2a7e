import { expect, test } from 'vitest';
import { chooseShipping, toShippingClass, type OfferedMethod } from '../../src/orders/choose-shipping.ts';

const method = (
  uid: string,
  type: string,
  price: number | string,
  change: Partial<OfferedMethod> = {},
): OfferedMethod => ({
  shipmentMethodUid: uid,
  name: uid,
  type,
  price,
  currency: 'USD',
  isPrivate: true,
  isBusiness: true,
  ...change,
});
const NORMAL = { class: 'normal', isBusiness: false } as const;
const EXPRESS = { class: 'express', isBusiness: false } as const;
const chosen = (quotes: OfferedMethod[][], wish: Parameters<typeof chooseShipping>[1] = NORMAL) =>
  chooseShipping(quotes, wish).map((one) => one?.method.shipmentMethodUid ?? null);

test('who paid for ordinary shipping gets the cheapest that is not express', () => {
  expect(chosen([[method('fast', 'express', 3), method('dear', 'standard', 9), method('cheap', 'normal', 5)]])).toEqual(
    ['cheap'],
  );
});

test('who paid for express gets the cheapest express', () => {
  expect(
    chosen([[method('x2', 'express', 20), method('x1', 'express', 15), method('n', 'normal', 5)]], EXPRESS),
  ).toEqual(['x1']);
});

test('express that one of several quotes lacks is not to be had for the whole: all get their cheapest', () => {
  const quotes = [[method('x', 'express', 15), method('n1', 'normal', 5)], [method('n2', 'normal', 6)]];
  expect(chosen(quotes, EXPRESS)).toEqual(['n1', 'n2']);
  expect(chooseShipping(quotes, EXPRESS)[0]?.rule).toContain('express is not to be had');
});

test('where only express is offered, ordinary shipping travels express', () => {
  expect(chosen([[method('x', 'express', 15)]])).toEqual(['x']);
});

test('a pallet or a parcel to be fetched is never chosen by itself', () => {
  expect(chosen([[method('p', 'pallet', 1), method('u', 'pick_up', 1)]])).toEqual([null]);
  expect(chosen([[method('p', 'pallet', 1), method('n', 'normal', 8)]])).toEqual(['n']);
});

test('a method for business only is not for a private buyer, and the other way round', () => {
  const methods = [method('b', 'normal', 1, { isPrivate: false }), method('p', 'normal', 2, { isBusiness: false })];
  expect(chosen([methods])).toEqual(['p']);
  expect(chosen([methods], { class: 'normal', isBusiness: true })).toEqual(['b']);
});

test('a quote without any method gets none', () => {
  expect(chosen([[]])).toEqual([null]);
});

test('prices are compared as numbers, even as text, and equal ones by their uid', () => {
  expect(chosen([[method('ten', 'normal', '10.00'), method('nine', 'normal', '9.50')]])).toEqual(['nine']);
  expect(chosen([[method('b', 'normal', 4), method('a', 'normal', 4)]])).toEqual(['a']);
});

test.each([
  ['Express (1 to 2 days)', 'custom', ['express'], 'express'],
  ['Next day', 'DHL_EXPRESS', ['express'], 'express'],
  ['Standard', null, ['express'], 'normal'],
  ['Overnight', null, ['overnight', 'express'], 'express'],
  ['Express', null, [], 'normal'],
] as const)('a shipping line %s with code %s is by the words %j of class %s', (title, code, words, expected) => {
  expect(toShippingClass([{ title, code }], words)).toBe(expected);
});
