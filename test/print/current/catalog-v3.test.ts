import { describe, expect, test } from 'vitest';
import { collect, connect, failureOf, json, startService } from '../servers.ts';

/** Returns a client for a service that responds to every call with this body. */
async function connectTo(answer: unknown, status = 200) {
  const service = await startService((_, response) => json(response, status, answer));
  return { print: connect(service.url), service };
}

describe('the requests of the catalog client', () => {
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

  test('reading catalogs stops if the service keeps repeating its first page', async () => {
    const { print, service } = await connectTo({ data: catalogs, pagination: { total: 1000 } });
    expect(await print.listCatalogs()).toEqual(catalogs);
    expect(service.requests).toHaveLength(2);
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
});
