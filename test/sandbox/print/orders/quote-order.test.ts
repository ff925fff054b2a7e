import { expect, test } from 'vitest';
import { quoteResponseSchema } from '../../../../src/print/current/orders-v4.ts';
import { MUG, PHOTO_BOOK, POSTER, product, quoteBody, startService, type Client } from '../service.ts';

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
