import { describe, expect, test } from 'vitest';
import { offerRates, type QuotedMethods } from '../../src/rates/offer-rates.ts';

type Method = QuotedMethods[number]['shipmentMethods'][number];

function method(type: string, price: number | string, change: Partial<Method> = {}): Method {
  return {
    shipmentMethodUid: `${type}_${price}`,
    name: `By ${type}`,
    type,
    price,
    currency: 'EUR',
    minDeliveryDate: '2026-11-25',
    maxDeliveryDate: '2026-11-28',
    isPrivate: true,
    ...change,
  };
}

const quote = (...shipmentMethods: Method[]) => ({ shipmentMethods });

describe('the offers from a single quote', () => {
  test('the offers are the cheapest method of each class, cheapest first, with the codes of these methods', () => {
    const offers = offerRates([quote(method('express', 12.5), method('normal', 5), method('normal', '4.28'))]);
    expect(offers.map(({ type, subunits, serviceCode }) => [type, subunits, serviceCode])).toEqual([
      ['normal', 428n, 'platen:normal:normal_4.28'],
      ['express', 1250n, 'platen:express:express_12.5'],
    ]);
    expect(offers[0]).toMatchObject({ description: 'By normal', delivery: { from: '2026-11-25', to: '2026-11-28' } });
  });

  test('the offers do not include pallet, pickup or business-only methods', () => {
    const forBusiness = method('express', 2, { isPrivate: false });
    expect(offerRates([quote(method('pallet', 1), method('pick_up', 1), forBusiness)])).toEqual([]);
  });
});

describe('the offers from several quotes', () => {
  test('an offer from several quotes has the total cost, the last arrival date and the code of its class', () => {
    const late = { minDeliveryDate: '2026-11-27', maxDeliveryDate: '2026-12-02' };
    const offers = offerRates([quote(method('normal', 0.1)), quote(method('normal', 0.2, late), method('normal', 9))]);
    expect(offers).toMatchObject([
      { subunits: 30n, description: 'In 2 parcels', delivery: { from: '2026-11-27', to: '2026-12-02' } },
    ]);
    expect(offers[0]?.serviceCode).toBe('platen:normal');
  });

  test('the offers include only classes that all quotes contain', () => {
    const offers = offerRates([quote(method('normal', 4), method('express', 9)), quote(method('normal', 5))]);
    expect(offers.map(({ type }) => type)).toEqual(['normal']);
  });

  test('an offer combines the cheapest method of each quote if the quotes have no class in common', () => {
    const offers = offerRates([quote(method('normal', 4)), quote(method('express', 9))]);
    expect(offers).toMatchObject([{ type: 'normal', subunits: 1300n }]);
    expect(offers[0]?.serviceCode).toBe('platen:cheapest');
  });

  test('prices in two currencies are never added', () => {
    expect(offerRates([quote(method('normal', 4)), quote(method('normal', 5, { currency: 'USD' }))])).toEqual([]);
  });

  test('no offers are made if one of the quotes has no methods', () => {
    expect(offerRates([quote(method('normal', 4)), quote()])).toEqual([]);
    expect(offerRates([])).toEqual([]);
  });
});

test('the offers for a part of an order have class codes even if there is only a single quote', () => {
  const offers = offerRates([quote(method('normal', 4), method('express', 9))], { byClass: true });
  expect(offers.map(({ serviceCode }) => serviceCode)).toEqual(['platen:normal', 'platen:express']);
});

describe('an offer list with unusual methods', () => {
  const good = method('express', 9);

  test.each(['euro', '€', 'EURO', 'eur', 'QQQ', ''])('only the method with the currency %j is omitted', (currency) => {
    for (const methods of [
      [method('normal', 1, { currency }), good],
      [good, method('normal', 1, { currency })],
    ])
      expect(offerRates([quote(...methods)])).toMatchObject([{ type: 'express', currency: 'EUR' }]);
  });

  test('an offer list uses the requested currency if all quotes have it, or otherwise another currency', () => {
    const other = method('normal', 4, { currency: 'USD' });
    const mine = method('normal', 5);
    for (const methods of [
      [other, mine],
      [mine, other],
    ])
      expect(offerRates([quote(...methods)], { currency: 'EUR' })).toMatchObject([{ currency: 'EUR', subunits: 500n }]);
    expect(offerRates([quote(other)], { currency: 'EUR' })).toMatchObject([{ currency: 'USD' }]);
    expect(offerRates([quote(mine, other), quote(other)], { currency: 'EUR' })).toMatchObject([{ subunits: 800n }]);
  });

  test('an offer list shortens a long name and omits a method whose code is too long', () => {
    const named = method('normal', 4, { name: '👕'.repeat(200) });
    const [offer] = offerRates([quote(named)]);
    expect(offer?.description.length).toBeLessThanOrEqual(255);
    expect(offer?.description.isWellFormed()).toBe(true);
    const endless = method('normal', 1, { shipmentMethodUid: 'x'.repeat(255) });
    expect(offerRates([quote(endless, good)])).toMatchObject([{ type: 'express' }]);
  });
});

test('a method without a type belongs to the class normal', () => {
  const offers = offerRates([quote(method('normal', 5), method('', 4, { type: null, shipmentMethodUid: 'u' }))]);
  expect(offers).toMatchObject([{ type: 'normal', serviceCode: 'platen:normal:u' }]);
});
