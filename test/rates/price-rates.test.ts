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

describe('a rate', () => {
  test('is an offer in the words of the checkout', () => {
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

  test('has the name that the shop gives its class', () => {
    const named = terms({ rateNames: { express: 'Eilversand' } });
    const rates = priceRates(
      [offer(1n), offer(2n, { type: 'express' }), offer(3n, { type: 'night_mail' })],
      cart,
      named,
    );
    expect(rates?.map((rate) => rate.service_name)).toEqual(['Economy shipping', 'Eilversand', 'Night mail shipping']);
  });

  test('has a name that a checkout takes, however long the class is called', () => {
    const [rate] = priceRates([offer(1n, { type: 'x'.repeat(300) })], cart, terms()) ?? [];
    expect(rate?.service_name.length).toBeLessThanOrEqual(255);
  });

  test.each([
    [{ percent: '10' }, '471'],
    [{ amount: '0.50' }, '478'],
    [{ percent: '12.5', amount: '1' }, '582'],
    [{ percent: '0.0001' }, '429'],
  ])('has the margin %j on it, and never a part of a cent less', (rateMargin, price) => {
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
  ])('rounds by %j upwards: %s to %s', (rateRounding, subunits, price) => {
    expect(prices(priceRates([offer(subunits)], cart, terms({ rateRounding })))).toEqual([price]);
  });

  test('in yen is whole, whatever the ending', () => {
    const yen = terms({ rateRounding: { ending: '0.99' }, rateMargin: { percent: '1' }, shopCurrency: 'JPY' });
    const rates = priceRates([offer(74_300n, { currency: 'JPY' })], { ...cart, currency: 'JPY' }, yen);
    expect(prices(rates)).toEqual(['75100']);
  });
});

describe('a cart with own stock', () => {
  const mixed = { ...cart, ownStock: 3 };
  const ownStockRates = [
    { countries: ['AT', 'DE'], amount: '4.90', perItem: '1' },
    { countries: ['*'], amount: '9' },
  ];

  test('costs what the shop asks for it beside the print service, without the margin on that', () => {
    const both = terms({ ownStockRates, rateMargin: { percent: '100' } });
    expect(prices(priceRates([offer(400n)], mixed, both))).toEqual(['1590']);
  });

  test('takes the row for every country where none names the buyer’s', () => {
    expect(prices(priceRates([offer(400n)], { ...mixed, country: 'JP' }, terms({ ownStockRates })))).toEqual(['1300']);
  });

  test('has no price without a row: none is guessed', () => {
    expect(priceRates([offer(400n)], mixed, terms())).toBeNull();
  });

  test('has no price where the offer is in another currency: the two are not added', () => {
    expect(priceRates([offer(400n, { currency: 'USD' })], mixed, terms({ ownStockRates }))).toBeNull();
  });
});

describe('free from a value on', () => {
  const free = terms({ ratesFreeFrom: '24' });
  const offers = [offer(428n), offer(1250n, { type: 'express' })];

  test('is the cheapest rate alone', () => {
    expect(prices(priceRates(offers, cart, free))).toEqual(['0', '1250']);
  });

  test('is nothing below it, nor for a cart in another currency', () => {
    expect(prices(priceRates(offers, { ...cart, value: 2399n }, free))).toEqual(['428', '1250']);
    expect(prices(priceRates(offers, { ...cart, currency: 'USD' }, free))).toEqual(['428', '1250']);
  });
});

describe("the shop's own table", () => {
  const fallbackRates: RateTerms['fallbackRates'] = [
    { name: 'Express', countries: ['DE'], amount: '15', type: 'express' },
    { name: 'Germany', countries: ['DE'], amount: '5.90', perItem: '0.50' },
    { name: 'World', countries: ['*'], amount: '12', perItem: '2' },
  ];

  test('offers the first row of each type for the country, the cheapest first', () => {
    const rates = priceFromTable(cart, terms({ fallbackRates }));
    expect(rates).toMatchObject([
      { service_name: 'Germany', service_code: 'platen:normal', total_price: '690', currency: 'EUR' },
      { service_name: 'Express', service_code: 'platen:express', total_price: '1500' },
    ]);
    expect(rates[0]?.description).not.toBe('');
    expect(prices(priceFromTable({ ...cart, country: 'US' }, terms({ fallbackRates })))).toEqual(['1600']);
  });

  test('adds the own stock, at its own price or else as pieces of the row', () => {
    const ownStockRates = [{ countries: ['*'], amount: '3' }];
    const mixed = { ...cart, ownStock: 1 };
    expect(prices(priceFromTable(mixed, terms({ fallbackRates, ownStockRates })))).toEqual(['990', '1800']);
    expect(prices(priceFromTable(mixed, terms({ fallbackRates })))).toEqual(['740', '1500']);
  });

  test('that has nothing for the country offers nothing', () => {
    const inGermany = fallbackRates.slice(0, 2);
    expect(priceFromTable({ ...cart, country: 'FR' }, terms({ fallbackRates: inGermany }))).toEqual([]);
  });
});

describe('a part of an order that the merchant ships', () => {
  const part = { ...cart, printed: 0, ownStock: 2 };
  const ownStockRates = [{ countries: ['DE'], amount: '4.90', perItem: '1', alone: true }];

  test('has no rate of ours unless the shop says that the row counts for it alone', () => {
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

  test('has the shop’s price under the code of the ordinary way of the printed part', () => {
    expect(priceOwnPart(part, terms({ ownStockRates }))).toMatchObject([
      { service_name: 'Economy shipping', service_code: 'platen:normal', total_price: '690', currency: 'EUR' },
    ]);
  });

  test('has none where the shop has no price', () => {
    expect(priceOwnPart(part, terms())).toEqual([]);
    expect(priceOwnPart({ ...part, ownStock: 0 }, terms({ ownStockRates }))).toEqual([]);
  });
});
