import { describe, expect, test } from 'vitest';
import type { Offer } from '../../src/rates/offer-rates.ts';
import {
  priceFromTable,
  priceOwnPart,
  priceRates,
  type PricedCart,
  type RateTerms,
} from '../../src/rates/price-rates.ts';
import { rateDefaults } from '../../src/shops/settings/rate-settings.ts';

function offer(subunits: bigint, change: Partial<Offer> = {}): Offer {
  const delivery = { from: '2026-11-25', to: '2026-11-28' };
  const base = { type: 'normal', serviceCode: 'platen:dhl', description: 'DHL', currency: 'EUR' };
  return { ...base, subunits, delivery, ...change };
}

const cart: PricedCart = { country: 'DE', currency: 'EUR', value: 2400n, printed: 2, ownStock: 0 };

function terms(change: Partial<RateTerms> = {}): RateTerms {
  return { ...rateDefaults, shopCurrency: 'EUR', ...change };
}

const prices = (rates: { total_price: string }[] | null) => rates?.map(({ total_price: price }) => price);

describe('a checkout rate', () => {
  test("a rate is an offer in the checkout's format", () => {
    expect(priceRates([offer(428n)], cart, terms())).toEqual([
      {
        service_name: 'Economy shipping',
        service_code: 'platen:dhl',
        description: 'DHL',
        currency: 'EUR',
        total_price: '428',
        min_delivery_date: '2026-11-25 12:00:00 +0000',
        max_delivery_date: '2026-11-28 12:00:00 +0000',
      },
    ]);
  });

  test('a rate has the name that the shop gives its class', () => {
    const named = terms({ rateNames: { express: 'Eilversand' } });
    const rates = priceRates(
      [offer(1n), offer(2n, { type: 'express' }), offer(3n, { type: 'night_mail' })],
      cart,
      named,
    );
    expect(rates?.map((rate) => rate.service_name)).toEqual(['Economy shipping', 'Eilversand', 'Night mail shipping']);
  });

  test.each([
    [{ percent: '10' }, '471'],
    [{ amount: '0.50' }, '478'],
    [{ percent: '12.5', amount: '1' }, '582'],
    [{ percent: '0.0001' }, '429'],
  ])('a rate includes the margin %j, rounded up to a cent', (rateMargin, price) => {
    expect(prices(priceRates([offer(428n)], cart, terms({ rateMargin })))).toEqual([price]);
  });

  test.each([
    [{ to: '0.05' }, 428n, '430'],
    [{ to: '1.00' }, 428n, '500'],
    [{ to: '1.00' }, 500n, '500'],
    [{ ending: '0.99' }, 428n, '499'],
    [{ ending: '0.99' }, 499n, '499'],
    [{ ending: '0.50' }, 451n, '550'],
    [{ ending: '0.99' }, 0n, '99'],
  ])('a rate with the rounding %j is rounded up from %s to %s', (rateRounding, subunits, price) => {
    expect(prices(priceRates([offer(subunits)], cart, terms({ rateRounding })))).toEqual([price]);
  });
});

describe('a cart that includes the merchant’s own stock', () => {
  const mixed = { ...cart, ownStock: 3 };
  const ownStockRates = [
    { countries: ['AT', 'DE'], amount: '4.90', perItem: '1' },
    { countries: ['*'], amount: '9' },
  ];

  test('a cart with own stock adds the own-stock price to the rate, without a margin', () => {
    const both = terms({ ownStockRates, rateMargin: { percent: '100' } });
    expect(prices(priceRates([offer(400n)], mixed, both))).toEqual(['1590']);
  });
});

describe('free shipping above a minimum cart value', () => {
  const free = terms({ ratesFreeFrom: '24' });
  const offers = [offer(428n), offer(1250n, { type: 'express' })];

  test('free shipping applies only to the cheapest rate', () => {
    expect(prices(priceRates(offers, cart, free))).toEqual(['0', '1250']);
  });

  test('free shipping does not apply below the minimum value or to a cart in another currency', () => {
    expect(prices(priceRates(offers, { ...cart, value: 2399n }, free))).toEqual(['428', '1250']);
    expect(prices(priceRates(offers, { ...cart, currency: 'USD' }, free))).toEqual(['428', '1250']);
  });
});

describe('the fallback table of rates', () => {
  const fallbackRates: RateTerms['fallbackRates'] = [
    { name: 'Express', countries: ['DE'], amount: '15', type: 'express' },
    { name: 'Germany', countries: ['DE'], amount: '5.90', perItem: '0.50' },
    { name: 'World', countries: ['*'], amount: '12', perItem: '2' },
  ];

  test('the fallback table offers the first row of each type for the country, cheapest first', () => {
    const rates = priceFromTable(cart, terms({ fallbackRates }));
    expect(rates).toMatchObject([
      { service_name: 'Germany', service_code: 'platen:normal', total_price: '690', currency: 'EUR' },
      { service_name: 'Express', service_code: 'platen:express', total_price: '1500' },
    ]);
    expect(rates[0]?.description).not.toBe('');
    expect(prices(priceFromTable({ ...cart, country: 'US' }, terms({ fallbackRates })))).toEqual(['1600']);
  });

  test('the fallback table uses the own-stock price for own stock, or otherwise the price for printed items', () => {
    const ownStockRates = [{ countries: ['*'], amount: '3' }];
    const mixed = { ...cart, ownStock: 1 };
    expect(prices(priceFromTable(mixed, terms({ fallbackRates, ownStockRates })))).toEqual(['990', '1800']);
    expect(prices(priceFromTable(mixed, terms({ fallbackRates })))).toEqual(['740', '1500']);
  });
});

describe('the part of an order that the merchant ships', () => {
  const part = { ...cart, printed: 0, ownStock: 2 };
  const ownStockRates = [{ countries: ['DE'], amount: '4.90', perItem: '1', alone: true }];

  test("the merchant's part has a rate only from a row that applies to own stock alone", () => {
    const [row] = ownStockRates;
    for (const alone of [{}, { alone: false }])
      expect(priceOwnPart(part, terms({ ownStockRates: [{ countries: ['DE'], amount: '4.90', ...alone }] }))).toEqual(
        [],
      );
    const second = [
      { countries: ['*'], amount: '1' },
      { ...row, countries: ['DE'], amount: '2', perItem: '0' },
    ];
    expect(prices(priceOwnPart(part, terms({ ownStockRates: second })))).toEqual(['200']);
  });

  test("the merchant's part has the own-stock price and the code of the class normal", () => {
    expect(priceOwnPart(part, terms({ ownStockRates }))).toMatchObject([
      { service_name: 'Economy shipping', service_code: 'platen:normal', total_price: '690', currency: 'EUR' },
    ]);
  });
});
