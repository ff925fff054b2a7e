import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { PrintClientOptions } from '../../../src/print/client.ts';
import { type CreateStoreProductRequest } from '../../../src/print/current/store-products.ts';
import { useTestClock } from '../../helpers/eventually.ts';
import { collect, connect, failureOf, json, startService } from '../servers.ts';

const sample = readSample('store_product_create_from_template_response.json');

function readSample(file: string): Record<string, unknown> {
  const text = readFileSync(new URL(`../../fixtures/print/${file}`, import.meta.url), 'utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

/** Returns the store product calls of one account. */
function callsAt(url: string, options: Partial<PrintClientOptions> = {}) {
  const service = connect(url, options);
  if (service.extended === 'unsupported') throw new Error('the account must have the extended calls');
  return {
    ...service.extended,
    getStoreProduct: (storeId: string, productId: string) => service.getStoreProduct(storeId, productId),
  };
}

function products(from: number, to: number): { id: string }[] {
  return Array.from({ length: to - from }, (_value, index) => ({ id: `p${from + index}` }));
}

const createRequest: CreateStoreProductRequest = {
  templateId: 'c12a363e-0d4e-4d96-be4b-bf4138eb8743',
  title: 'Harbour T-Shirt',
  description: '<p>A shirt.</p>',
  isVisibleInTheOnlineStore: true,
  salesChannels: ['web'],
  tags: ['harbour'],
  productType: 'Shirts',
  vendor: 'Harbour',
  variants: [
    {
      templateVariantId: '83e30e31-0aee-4eca-8a8f-dceb2455cdc1',
      position: 1,
      imagePlaceholders: [{ name: 'ImageFront', fileUrl: 'https://files.example/front.png', fitMethod: 'meet' }],
      textPlaceholders: [{ name: 'Text', text: 'Ahoy' }],
    },
  ],
};

describe('one store product', () => {
  test("a gateway's 404 page does not prove that the product or template is missing", async () => {
    const service = await startService((_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not Found</h1>');
    });
    const calls = callsAt(service.url);
    for (const call of [calls.getStoreProduct('s1', 'p1'), calls.getTemplate('t1')])
      expect(await failureOf(call)).toMatchObject({ status: 404, outcome: 'unavailable', retryable: true });
  });
});

test.each(['', '.', '..', '../../v4/orders', 'a/b', 'a?b', 'a#b', 'a%2Fb', 'a b', 'ü', 'x'.repeat(201)])(
  'the product ID %j, which could lead to another path, counts as not found',
  async (id) => {
    const service = await startService((_request, response) => json(response, 200, sample));
    const calls = callsAt(service.url);
    const failures = [
      failureOf(calls.getStoreProduct(id, 'p1')),
      failureOf(calls.getStoreProduct('s1', id)),
      failureOf(collect(calls.listStoreProducts(id))),
      failureOf(calls.createStoreProductFromTemplate(id, createRequest)),
      failureOf(calls.getTemplate(id)),
    ];
    for (const error of await Promise.all(failures))
      expect(error).toMatchObject({ outcome: 'not_found', status: null });
    expect(service.requests).toEqual([]);
  },
);

describe('the list of store products', () => {
  /** Starts a store with this number of products that returns pages as requested. */
  function startStore(total: number) {
    return startService(({ url }, response) => {
      const { searchParams } = new URL(url, 'http://service.example');
      const offset = Number(searchParams.get('offset'));
      const limit = Number(searchParams.get('limit'));
      json(response, 200, { products: products(offset, Math.min(total, offset + limit)) });
    });
  }

  test.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [250, 3],
  ])('%i products are read in %i pages', async (total, pages) => {
    const service = await startStore(total);
    const found = await collect(callsAt(service.url).listStoreProducts('s1'));
    expect(found.map(({ id }) => id)).toEqual(products(0, total).map(({ id }) => id));
    expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from({ length: pages }, (_value, page) => `GET /v1/stores/s1/products?limit=100&offset=${page * 100}`),
    );
  });

  test('reading a product list that never ends fails, and the list does not count as complete', async () => {
    const service = await startService((_request, response) => json(response, 200, { products: products(0, 100) }));
    const clock = await useTestClock();
    const list = collect(callsAt(service.url, { clock }).listStoreProducts('s1'));
    expect(await clock.during(failureOf(list))).toMatchObject({ outcome: 'unavailable', retryable: false });
    expect(service.requests).toHaveLength(200);
  });
});

test('a response for a different template is invalid', async () => {
  const service = await startService((_request, response) => json(response, 200, { id: 't2', title: 'Mug' }));
  expect(await failureOf(callsAt(service.url).getTemplate('t1'))).toMatchObject({ outcome: 'unavailable' });
  expect(await callsAt(service.url).getTemplate('t2')).toMatchObject({ title: 'Mug', previewUrl: null, variants: [] });
});
