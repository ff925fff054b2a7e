import { describe, expect, test } from 'vitest';
import { quoteResponseSchema } from '../../../../src/print/current/orders-v4.ts';
import {
  ADDRESS,
  ENVELOPE,
  MUG,
  PHOTO_BOOK,
  POSTER,
  product,
  quoteBody,
  startService,
  type Client,
} from '../service.ts';

async function quote(client: Client, more: Record<string, unknown> = {}) {
  return quoteResponseSchema.parse(await client.ok('POST', '/v4/orders:quote', quoteBody(more)));
}

test('if a facility makes all products, there is one quote, preferably from a facility in the recipient’s country', async () => {
  const client = await startService();
  const answer = await quote(client, { products: [product('a'), product('b', MUG, { quantity: 2 })] });
  expect(answer.orderReferenceId).toBe('ref-1');
  expect(answer.quotes).toHaveLength(1);
  const [only] = answer.quotes;
  expect(only).toMatchObject({ itemReferenceIds: ['a', 'b'], fulfillmentCountry: 'US' });
  expect(only?.products).toMatchObject([
    { itemReferenceId: 'a', productUid: POSTER, quantity: 1, price: 5.56, currency: 'USD' },
    { itemReferenceId: 'b', productUid: MUG, quantity: 2, price: 12.2, currency: 'USD' },
  ]);
});

test("a facility in the recipient's region takes precedence over facilities in other regions", async () => {
  const client = await startService();
  const french = { ...ADDRESS, state: undefined, country: 'FR' };
  const mugs = await quote(client, { recipient: french, products: [product('a', MUG)] });
  expect(mugs.quotes.map((one) => one.fulfillmentCountry)).toEqual(['GB']);
  const canadian = { ...ADDRESS, state: 'ON', country: 'CA' };
  const books = await quote(client, { recipient: canadian, products: [product('a', PHOTO_BOOK, { pageCount: 28 })] });
  expect(books.quotes.map((one) => one.fulfillmentCountry)).toEqual(['NL']);
});

test('products that no single facility makes get one quote per facility, or a single quote if requested', async () => {
  const client = await startService();
  const products = [product('a', MUG), product('b', PHOTO_BOOK, { pageCount: 28 }), product('c')];
  const several = await quote(client, { products });
  expect(several.quotes.map((one) => [one.fulfillmentCountry, one.itemReferenceIds])).toEqual([
    ['US', ['a', 'c']],
    ['NL', ['b']],
  ]);
  const single = await quote(client, { products, allowMultipleQuotes: false });
  expect(single.quotes).toHaveLength(1);
  const [only] = single.quotes;
  expect(only?.itemReferenceIds.toSorted()).toEqual(['a', 'b', 'c']);
  const cheapest = several.quotes.map((one) => Number(one.shipmentMethods[0]?.price));
  const normal = only?.shipmentMethods.find((method) => method.type === 'normal');
  expect(normal?.price).toBeCloseTo(
    cheapest.reduce((sum, price) => sum + price, 0),
    2,
  );
  expect(normal).toMatchObject({
    shipmentMethodUid: 'normal',
    minDeliveryDays: 4,
    maxDeliveryDays: 18,
    numberOfParcels: 2,
  });
});

test('methods have dates, a weight and parcels, and a heavy order can also ship on a pallet', async () => {
  const client = await startService();
  const light = (await quote(client)).quotes[0]?.shipmentMethods ?? [];
  expect(light.map((method) => method.type)).toEqual(['normal', 'standard', 'express']);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  expect([day(4), day(3)]).toContain(light[0]?.minDeliveryDate);
  expect(light[0]).toMatchObject({ totalWeight: 149, numberOfParcels: 1, isPrivate: true, isBusiness: true });
  const heavy = await quote(client, { products: [product('a', MUG, { quantity: 100 })] });
  const pallet = heavy.quotes[0]?.shipmentMethods.find((method) => method.type === 'pallet');
  expect(pallet).toMatchObject({ totalWeight: 38_129, numberOfParcels: 1, isPrivate: false });
  expect(heavy.quotes[0]?.shipmentMethods.find((method) => method.type === 'normal')?.numberOfParcels).toBe(2);
});

test('prices are in the requested currency', async () => {
  const client = await startService();
  const yen = await quote(client, { currency: 'JPY' });
  expect(yen.quotes[0]?.products[0]).toMatchObject({ currency: 'JPY', price: 834 });
  expect(yen.quotes[0]?.shipmentMethods.every((method) => Number.isInteger(method.price))).toBe(true);
});

test('without the extended calls, methods have only documented types', async () => {
  const client = await startService({ extended: false });
  const types = (await quote(client)).quotes[0]?.shipmentMethods.map((method) => method.type);
  expect(types).toEqual(['normal', 'normal', 'express']);
});

test('an unprinted product needs no file', async () => {
  const client = await startService();
  const answer = await quote(client, { products: [{ itemReferenceId: 'a', productUid: ENVELOPE, quantity: 10 }] });
  expect(answer.quotes[0]?.products).toMatchObject([{ productUid: ENVELOPE, price: 2 }]);
});

test('unknown fields in a request are ignored', async () => {
  const client = await startService();
  const answer = await quote(client, {
    surprise: 1,
    recipient: { ...ADDRESS, nickname: 'P' },
    products: [product('a', POSTER, { color: 'red' })],
  });
  expect(answer.quotes).toHaveLength(1);
});

describe('a quote request that is refused', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['without a currency', { currency: undefined }, 'currency'],
    ['with an unsupported currency', { currency: 'XAU' }, 'currency'],
    ['without products', { products: [] }, 'products'],
    ['with a quantity below one', { products: [product('a', POSTER, { quantity: 0 })] }, 'products[0].quantity'],
    ['with a duplicate item reference', { products: [product('a'), product('a')] }, 'products[1].itemReferenceId'],
    ['with a product that does not exist', { products: [product('a', 'no_such')] }, 'products[0].productUid'],
    ['without a file', { products: [product('a', POSTER, { files: [] })] }, 'products[0].files'],
    ['without a page count', { products: [product('a'), product('b', PHOTO_BOOK)] }, 'products[1].pageCount'],
    [
      'with a first name over 25 characters',
      { recipient: { ...ADDRESS, firstName: 'x'.repeat(26) } },
      'recipient.firstName',
    ],
    [
      'without a state in a country that requires one',
      { recipient: { ...ADDRESS, state: undefined } },
      'recipient.state',
    ],
    ['with an invalid email address', { recipient: { ...ADDRESS, email: 'paul' } }, 'recipient.email'],
  ];
  test.each(cases)('a quote request %s is refused, and the response names the field', async (_title, more, field) => {
    const client = await startService();
    const refusal = await client.refused('POST', '/v4/orders:quote', quoteBody(more));
    expect(refusal.status).toBe(400);
    expect(refusal.details.map((detail) => detail.reference)).toContain(field);
    expect(refusal.message).toContain(field);
  });

  test.each(['KP', 'XX'])('a quote request for the country %s returns 404 with a message', async (country) => {
    const client = await startService();
    const recipient = { ...ADDRESS, country };
    const refusal = await client.refused('POST', '/v4/orders:quote', quoteBody({ recipient }));
    expect(refusal).toMatchObject({ status: 404, message: `Country ${country} is not supported.` });
  });

  test.each([null, 'sandbox', 'sandbox-key-', 'sandbox-keys'])(
    'a quote request with the key %s is refused',
    async (key) => {
      const client = await startService();
      const refusal = await client.refused('POST', '/v4/orders:quote', quoteBody(), { key });
      expect(refusal.status).toBe(401);
    },
  );

  test('a quote request whose body is not JSON is refused', async () => {
    const client = await startService();
    expect(await client.refused('POST', '/v4/orders:quote', '{"a":')).toMatchObject({ status: 400 });
  });
});
