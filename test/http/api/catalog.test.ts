import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { MUG, PHOTO_BOOK } from '../../sandbox/print/service.ts';
import { openPrintEndpoints, type PrintEndpoints } from '../print-endpoints.ts';
import { addShop, callApi, refusal } from '../test-app.ts';

let endpoints: PrintEndpoints;
let shop: Shop;

beforeAll(async () => {
  endpoints = await openPrintEndpoints();
  shop = await addShopWith('sandbox-key');
});
afterAll(() => endpoints.close());

async function addShopWith(printKey: string, settings: Record<string, unknown> = {}): Promise<Shop> {
  const { id } = await addShop(endpoints.app.db);
  await changeSettings(endpoints.app, { id }, { printKey, ...settings });
  return endpoints.app.db.getRepository(Shops).findOneByOrFail({ id });
}

interface Found {
  products: { productUid: string; attributes: Record<string, string> }[];
  facets: { attributeUid: string; title: string | null; values: { valueUid: string; count: number }[] }[];
  next: number | null;
}

async function ask<Body>(path: string, body?: unknown, of: Pick<Shop, 'domain'> = shop) {
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await callApi<Body>(endpoints.url, of, [method, `/catalog${path}`], body);
  return { ...answer, retryAfter: answer.headers.get('Retry-After') };
}

test('the catalog endpoint lists the catalogs and the searchable attributes of each catalog', async () => {
  const { body } = await ask<{ catalogs: { catalogUid: string; title: string }[] }>('');
  expect(body.catalogs).toContainEqual({ catalogUid: 'mugs', title: 'Mugs' });
  const { body: mugs } = await ask<{ attributes: { attributeUid: string; values: object[] }[] }>('/mugs');
  expect(mugs).toMatchObject({ catalogUid: 'mugs', title: 'Mugs' });
  expect(mugs.attributes.find(({ attributeUid }) => attributeUid === 'MugSize')?.values).toContainEqual({
    valueUid: '11-oz',
    title: '11 oz',
  });
});

test('a search filters by attributes, counts all matches and returns them page by page', async () => {
  const { body: all } = await ask<Found>('/mugs/products', {});
  const attributeFilters = { MugSize: ['11-oz'] };
  const { body: narrowed } = await ask<Found>('/mugs/products', { attributeFilters });
  expect(narrowed.products.map(({ productUid }) => productUid)).toContain(MUG);
  expect(narrowed.products.length).toBeLessThan(all.products.length);
  expect(narrowed.facets.find(({ attributeUid }) => attributeUid === 'MugSize')?.values).toEqual([
    { valueUid: '11-oz', title: '11 oz', count: narrowed.products.length },
  ]);

  const pages: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const { body }: { body: Found } = await ask<Found>('/mugs/products', { attributeFilters, limit: 2, offset });
    expect(body.facets).toEqual(narrowed.facets);
    pages.push(...body.products.map(({ productUid }) => productUid));
    offset = body.next;
  }
  expect(pages).toEqual(narrowed.products.map(({ productUid }) => productUid));
});

test('a product is shown with its prices and stock, and a product with pages requires a page count', async () => {
  const { body } = await ask<{ prices: object[]; stock: object[] }>(`/products/${MUG}?country=DE&currency=EUR`);
  expect(body).toMatchObject({ productUid: MUG });
  expect(body.prices[0]).toMatchObject({ quantity: 1, price: expect.any(String), currency: 'EUR', country: 'DE' });
  expect(body.stock).toContainEqual(expect.objectContaining({ stockRegionUid: 'EU' }));
  expect(await ask(`/products/${PHOTO_BOOK}`)).toMatchObject({ status: 400, body: { error: { field: 'pageCount' } } });
  expect(await ask(`/products/${PHOTO_BOOK}?pageCount=28`)).toMatchObject({ status: 200 });
});

test.each([
  ['/mugs/products', { attributeFilters: { MugSize: '11-oz' } }, 'attributeFilters.MugSize'],
  ['/mugs/products', { attributeFilters: { MugSize: [''] } }, 'attributeFilters.MugSize[0]'],
  ['/mugs/products', { attributeFilters: [] }, 'attributeFilters'],
  // This case is parsed from text, as a request body is. In a literal, the key would set the prototype.
  ['/mugs/products', JSON.parse('{"attributeFilters":{"__proto__":["x"]}}'), 'attributeFilters.__proto__'],
  ['/mugs/products', JSON.parse('{"__proto__":{}}'), '__proto__'],
  ['/mugs/products', { limit: 101 }, 'limit'],
  ['/mugs/products', { offset: -1 }, 'offset'],
  ['/mugs/products', { filter: {} }, 'filter'],
  [`/products/${MUG}?country=Germany`, undefined, 'country'],
  [`/products/${MUG}?currency=XXX`, undefined, 'currency'],
  [`/products/${MUG}?pageCount=many`, undefined, 'pageCount'],
])('the request %s with %j is rejected, and the error names the field', async (path, body, field) => {
  expect(await ask(path, body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_input', field } } });
});

test('a shop with no key or a refused key gets a 409 that explains the problem', async () => {
  expect(await ask('', undefined, await addShop(endpoints.app.db))).toMatchObject(
    refusal(409, { code: 'no_print_account' }),
  );
  const { id } = await addShop(endpoints.app.db);
  await changeSettings(endpoints.app, { id }, { printKey: 'no-key-of-theirs' });
  const refused = await endpoints.app.db.getRepository(Shops).findOneByOrFail({ id });
  expect(await ask('', undefined, refused)).toMatchObject(refusal(409, { code: 'print_key_refused' }));
});
