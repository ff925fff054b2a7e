import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { collect, connect, failureOf, json, startService } from '../servers.ts';

function sample(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/print/${file}`, import.meta.url), 'utf8'));
}

/** Returns a client for a service that responds to every call with this body. */
async function connectTo(answer: unknown, status = 200) {
  const service = await startService((_, response) => json(response, status, answer));
  return { print: connect(service.url), service };
}

const stockAnswer = sample('stock_region_availability_response.json') as { productsAvailability: unknown[] };

describe('a recorded response is read completely', () => {
  test('a stock response in the spelling of the stock event is read completely', async () => {
    const { print } = await connectTo({ productAvailability: stockAnswer.productsAvailability });
    expect(await print.getStockAvailability(['wall-hanger'])).toEqual(stockAnswer.productsAvailability);
  });
});

describe('the requests of the catalog client', () => {
  test('each call has its own method, path and body', async () => {
    const service = await startService(({ url }, response) => {
      if (url.includes('/stock/')) json(response, 200, stockAnswer);
      else if (url.includes('/prices') || url.endsWith('/catalogs')) json(response, 200, []);
      else json(response, 200, { catalogUid: 'posters', products: [] });
    });
    const print = connect(`${service.url}/base`);
    await print.listCatalogs();
    await print.getCatalog('posters');
    await print.searchCatalogProducts('posters', {
      attributeFilters: { Orientation: ['ver'] },
      limit: 500,
      offset: 20,
    });
    await print.getProductPrices('flat_a4_4-0_ver');
    await print.getProductPrices('flat_a4_4-0_ver', { country: 'NO', currency: 'EUR', pageCount: 30 });
    await print.getStockAvailability(['mug', 'frame']);
    expect(service.requests.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([
      ['GET /base/v3/catalogs', ''],
      ['GET /base/v3/catalogs/posters', ''],
      [
        'POST /base/v3/catalogs/posters/products:search',
        '{"attributeFilters":{"Orientation":["ver"]},"limit":500,"offset":20}',
      ],
      ['GET /base/v3/products/flat_a4_4-0_ver/prices', ''],
      ['GET /base/v3/products/flat_a4_4-0_ver/prices?country=NO&currency=EUR&pageCount=30', ''],
      ['POST /base/v3/stock/region-availability', '{"products":["mug","frame"]}'],
    ]);
  });

  test.each(['', '.', '..', '../orders', 'a/b', 'a?b', 'a%2Fb', 'a b', 'ä', 'x'.repeat(301)])(
    'the UID %j, which could lead to another path, counts as not found',
    async (uid) => {
      const { print, service } = await connectTo({});
      for (const call of [print.getCatalog(uid), print.searchCatalogProducts(uid), print.getProductPrices(uid)]) {
        expect(await failureOf(call)).toMatchObject({ outcome: 'not_found', retryable: false });
      }
      expect(service.requests).toEqual([]);
    },
  );
});

describe('the list of catalogs', () => {
  const catalogs = ['cards', 'posters', 'mugs', 'frames', 'calendars'].map((uid) => ({ catalogUid: uid, title: uid }));

  /** Returns a client for a service that responds with two catalogs per page. */
  async function connectToPages(toPagination: (offset: number) => object | undefined) {
    const service = await startService(({ url }, response) => {
      const offset = Number(new URL(url, 'http://service').searchParams.get('offset') ?? 0);
      json(response, 200, { data: catalogs.slice(offset, offset + 2), pagination: toPagination(offset) });
    });
    return { print: connect(service.url), service };
  }

  test('catalogs are read page by page', async () => {
    const { print, service } = await connectToPages((offset) => ({ total: 5, offset }));
    expect(await print.listCatalogs()).toEqual(catalogs);
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/v3/catalogs',
      '/v3/catalogs?offset=2',
      '/v3/catalogs?offset=4',
    ]);
  });

  test('a catalog list without a total is read until a page contains nothing new', async () => {
    const { print, service } = await connectToPages((offset) => ({ offset }));
    expect(await print.listCatalogs()).toEqual(catalogs);
    expect(service.requests).toHaveLength(4);
  });

  test('reading catalogs stops if the service keeps repeating its first page', async () => {
    const { print, service } = await connectTo({ data: catalogs, pagination: { total: 1000 } });
    expect(await print.listCatalogs()).toEqual(catalogs);
    expect(service.requests).toHaveLength(2);
  });

  test("reading catalogs fails if the service's pages never end", async () => {
    const service = await startService((_, response, index) =>
      json(response, 200, { data: [{ catalogUid: `catalog-${index}` }], pagination: {} }),
    );
    const error = await failureOf(connect(service.url).listCatalogs());
    expect(error).toMatchObject({ outcome: 'unavailable', retryable: false });
    expect(service.requests).toHaveLength(50);
  });
});

describe('the products of a catalog', () => {
  const products = Array.from({ length: 230 }, (_, index) => ({ productUid: `product-${index}` }));

  test('products are read 100 per page, each once, even if a product moves between pages', async () => {
    const service = await startService(({ body }, response) => {
      const { limit, offset } = JSON.parse(body) as { limit: number; offset: number };
      const page = products.slice(offset, offset + limit);
      json(response, 200, { products: offset === 100 ? [products[99], ...page.slice(1)] : page });
    });
    const found = await collect(connect(service.url).readCatalogProducts('posters', { PaperFormat: ['A4'] }));
    expect(found.map(({ productUid }) => productUid)).toEqual(
      products.map(({ productUid }) => productUid).filter((uid) => uid !== 'product-100'),
    );
    expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual(
      [0, 100, 200].map((offset) => ({ attributeFilters: { PaperFormat: ['A4'] }, limit: 100, offset })),
    );
  });

  test('products are read as far as possible if details are missing or have an unexpected type', async () => {
    const { print } = await connectTo({
      products: [
        { productUid: 'bare' },
        {
          productUid: 'odd',
          attributes: [],
          weight: 'heavy',
          dimensions: { Width: { value: '9' } },
          isPrintable: true,
        },
        { productUid: 'numbers', attributes: { Pages: 24, Color: null }, supportedCountries: 'US' },
      ],
      hits: { attributeHits: [] },
    });
    const absent = { attributes: {}, weight: null, dimensions: {}, supportedCountries: null };
    expect(await print.searchCatalogProducts('posters')).toEqual({
      products: [
        { ...absent, productUid: 'bare' },
        {
          ...absent,
          productUid: 'odd',
          dimensions: { Width: { value: null, measureUnit: null } },
          isPrintable: true,
        },
        { ...absent, productUid: 'numbers', attributes: { Pages: '24', Color: null } },
      ],
      hits: { attributeHits: {} },
    });
  });
});
