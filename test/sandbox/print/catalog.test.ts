import { describe, expect, test } from 'vitest';
import type { CatalogProduct } from '../../../src/print/current/catalog-objects.ts';
import { collect, connect } from '../../print/servers.ts';
import { ADDRESS, createBody, item, MUG, product, quoteBody, startService } from './service.ts';

const KIDS_SHIRT = 'apparel_product_gca_t-shirt_gsc_crewneck_gcu_kids_gqa_classic_gsi_s_gco_white_gpr_4-0';
const GERMAN = { ...ADDRESS, state: undefined, city: 'Berlin', postCode: '10115', country: 'DE' };

async function connectToService(extended = true) {
  const client = await startService({ extended });
  return { client, print: connect(client.url, {}, 'sandbox-key') };
}

describe('the catalogs of the print service stand-in', () => {
  test('the catalogs have hundreds of products, which use only the attributes and values that the catalogs list', async () => {
    const { print } = await connectToService();
    const catalogs = await print.listCatalogs();
    expect(catalogs.map(({ catalogUid }) => catalogUid)).toEqual(
      expect.arrayContaining(['posters', 'apparel', 'mugs', 'cards', 'photobooks', 'phone-cases', 'blank-envelopes']),
    );
    const uids: string[] = [];
    for (const { catalogUid, title } of catalogs) {
      const catalog = await print.getCatalog(catalogUid);
      expect(catalog.title).toBe(title);
      const values = new Map(
        catalog.productAttributes.map((attribute) => [
          attribute.productAttributeUid,
          attribute.values.map((value) => value.productAttributeValueUid),
        ]),
      );
      const products = await collect(print.readCatalogProducts(catalogUid));
      for (const found of products) expectWhole(found, values);
      uids.push(...products.map(({ productUid }) => productUid));
    }
    expect(uids.length).toBeGreaterThanOrEqual(300);
    expect(uids.length).toBeLessThanOrEqual(600);
    expect(new Set(uids).size).toBe(uids.length);
  });

  function expectWhole(found: CatalogProduct, values: ReadonlyMap<string, string[]>) {
    expect(new Set(Object.keys(found.attributes))).toEqual(new Set(values.keys()));
    for (const [attribute, value] of Object.entries(found.attributes)) expect(values.get(attribute)).toContain(value);
    expect(found.weight).toEqual({ value: expect.any(Number), measureUnit: 'grams' });
    expect(found.weight?.value).toBeGreaterThan(0);
    expect(Object.keys(found.dimensions)).toEqual(['Width', 'Height', 'Thickness']);
    for (const { value, measureUnit } of Object.values(found.dimensions)) {
      expect({ positive: Number(value) > 0, measureUnit }).toEqual({ positive: true, measureUnit: 'mm' });
    }
    for (const country of found.supportedCountries ?? ['none']) expect(country).toMatch(/^[A-Z]{2}$/);
  }
});

describe('a product search in a catalog', () => {
  test('a search returns products that have one of the given values for every attribute, and counts attribute values across all matches', async () => {
    const { print } = await connectToService();
    const attributeFilters = { GarmentCategory: ['t-shirt'], GarmentCut: ['unisex'], GarmentSize: ['s', 'm'] };
    const { products, hits } = await print.searchCatalogProducts('apparel', { attributeFilters, limit: 5 });
    expect(products).toHaveLength(5);
    const all = await collect(print.readCatalogProducts('apparel', attributeFilters));
    expect(all.length).toBeGreaterThan(5);
    for (const { attributes } of all) {
      expect(attributes).toMatchObject({ GarmentCategory: 't-shirt', GarmentSize: expect.stringMatching(/^[sm]$/) });
    }
    expect(hits.attributeHits['GarmentCategory']).toEqual({ 't-shirt': all.length });
    expect(hits.attributeHits['GarmentSize']).toEqual({ s: all.length / 2, m: all.length / 2 });
  });
});

describe('the prices of a product', () => {
  test('the price per unit falls with the quantity, and the price of one unit is the same as in a quote', async () => {
    const { client, print } = await connectToService();
    const prices = await print.getProductPrices(MUG, { country: 'US', currency: 'USD' });
    const each = prices.map(({ price, quantity }) => Number(price) / Number(quantity));
    expect(prices.length).toBeGreaterThan(3);
    expect(each).toEqual(each.toSorted((one, other) => other - one));
    expect(each.at(-1)).toBeLessThan(Number(each[0]));
    const quoted = await client.ok('POST', '/v4/orders:quote', quoteBody({ products: [product('a', MUG)] }));
    expect(quoted).toMatchObject({
      quotes: [{ products: [{ price: prices[0]?.price, quantity: prices[0]?.quantity }] }],
    });
    expect(prices[0]).toEqual({
      productUid: MUG,
      country: 'US',
      quantity: 1,
      price: 6.1,
      currency: 'USD',
      pageCount: null,
    });
  });
});

describe('a product that ships to only a few countries', () => {
  test('the product is refused for other countries in a quote and a create request', async () => {
    const { client } = await connectToService();
    const products = [product('a'), product('b', KIDS_SHIRT)];
    expect(await client.refused('POST', '/v4/orders:quote', quoteBody({ recipient: GERMAN, products }))).toMatchObject({
      status: 400,
      details: [{ reference: 'products[1].productUid', code: 'product_not_supported' }],
    });
    const items = [item('a', KIDS_SHIRT), item('b')];
    const body = createBody('ref-1', { shippingAddress: GERMAN, items });
    expect(await client.refused('POST', '/v3/orders', body)).toMatchObject({
      status: 400,
      details: [{ reference: 'items[0].productUid', code: 'product_not_supported' }],
    });
    expect(await client.booked()).toEqual([]);
  });
});

test('without the extended calls, the catalog search is the only available catalog call', async () => {
  const { client } = await connectToService(false);
  expect(await client.ok('POST', '/v3/catalogs/mugs/products:search', {})).toHaveProperty('products');
  const { status } = await client.refused('POST', '/v3/stock/region-availability', { products: [MUG] });
  expect(status).toBe(404);
  for (const path of ['/v3/catalogs', '/v3/catalogs/mugs', `/v3/products/${MUG}/prices`]) {
    expect((await client.refused('GET', path)).status).toBe(404);
  }
});
