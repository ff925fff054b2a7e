import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { listen, type Endpoints } from '../../../src/http/server.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from '../../products/store-products/print-store.ts';
import { readJobPayloads, callApi, refusal } from '../test-app.ts';

const FILE = 'https://files.example/poster.pdf';
let world: PrintStoreWorld;
let endpoints: Endpoints;
let poster: ShopProduct;
let mug: ShopProduct;

beforeAll(async () => {
  world = await openPrintStore();
  endpoints = await listen(world.app);
  poster = await world.shopProduct('POSTER-13X18');
  mug = await world.shopProduct('MUG-11OZ');
});
beforeEach(async () => {
  await world.app.db.query('delete from print_links');
  await world.clear();
});
afterAll(async () => {
  await endpoints.close();
  await world.close();
});

interface Answer {
  linked: { variantId: string; productUid: string; fileUrl: string }[];
  notLinked: { variantId: string | null; code: string; message: string }[];
  created: number;
}

const ask = (body: Record<string, unknown>) =>
  callApi<Answer & { error?: object }>(endpoints.url, world.shop, ['POST', '/print-links/from-template'], body);

/** Creates a template at the service with one variant per size. */
async function createTemplate(sizes: Record<string, string>, name = 'size'): Promise<string> {
  const variants = Object.entries(sizes).map(([value, productUid]) => ({
    title: value,
    productUid,
    variantOptions: [{ name, value }],
    imagePlaceholders: [{ name: 'ImageFront' }],
  }));
  return (await world.inPrint<{ id: string }>('/templates', { title: 'Harbour', variants })).id;
}

const links = () =>
  world.app.db.manager.find(PrintLinks, { where: { shopId: world.shop.id }, order: { productUid: 'ASC' } });

test('a dry run lists the variants that would be linked and those that would not, and writes nothing', async () => {
  const templateId = await createTemplate({ '13x18 centimeters': 'small', '11 ounces': 'mug' });
  const products = [poster.productId, `gid://shopify/Product/${mug.productId}`, '999'];
  const { status, body } = await ask({ templateId, products, fileUrl: FILE, dryRun: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ dryRun: true, templateId, created: 2, changed: 0, unchanged: 0 });
  expect(body.linked).toMatchObject([
    { variantId: poster.variants['POSTER-13X18'], productUid: 'small', fileUrl: FILE },
    { variantId: mug.variants['MUG-11OZ'], productUid: 'mug', fileUrl: FILE },
  ]);
  expect(body.notLinked).toMatchObject([
    { variantId: poster.variants['POSTER-30X40'], code: 'no_such_variant' },
    { variantId: mug.variants['MUG-15OZ'], code: 'no_such_variant' },
    { productId: '999', variantId: null, code: 'no_such_product' },
  ]);
  expect(await links()).toEqual([]);
});

test('matching variants are linked with their files and checked, and a repeated request changes nothing', async () => {
  const templateId = await createTemplate({ '13 × 18 cm': 'small', '30 × 40 cm': 'large' });
  const own = 'https://files.example/large.pdf';
  const asked = { templateId, products: [poster.productId], fileUrl: FILE };
  const withOwn = { ...asked, fileUrls: { [poster.variants['POSTER-30X40'] ?? '']: own } };
  expect((await ask(withOwn)).body).toMatchObject({ dryRun: false, created: 2, notLinked: [] });
  expect(await links()).toMatchObject([
    { productUid: 'large', fileUrl: own },
    {
      productUid: 'small',
      fileUrl: FILE,
      shopifyVariantId: `gid://shopify/ProductVariant/${poster.variants['POSTER-13X18']}`,
    },
  ]);
  expect(await readJobPayloads(world.app.db, 'check_print_links')).toEqual([{ shopId: world.shop.id }]);
  expect((await ask(withOwn)).body).toMatchObject({ created: 0, changed: 0, unchanged: 2 });
  expect((await ask(asked)).body).toMatchObject({ created: 0, changed: 1, unchanged: 1 });
});

test('a file for a variant of another product is rejected, and nothing is linked', async () => {
  const templateId = await createTemplate({ '13 × 18 cm': 'small', '30 × 40 cm': 'large' });
  const fileUrls = { [mug.variants['MUG-11OZ'] ?? '']: FILE };
  const { status, body } = await ask({ templateId, products: [poster.productId], fileUrl: FILE, fileUrls });
  const field = `fileUrls.${mug.variants['MUG-11OZ']}`;
  expect({ status, error: body.error }).toMatchObject({ status: 400, error: { code: 'invalid_input', field } });
  expect(await links()).toEqual([]);
});

test('nothing is saved if the template is unknown or the store responds with an error', async () => {
  const asked = { templateId: 'none', products: [poster.productId], fileUrl: FILE };
  expect(await ask(asked)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  const templateId = await createTemplate({ '13 × 18 cm': 'small' });
  await world.inStore('/faults', [
    { operation: 'VariantOptionsOfProduct', rate: 1, kind: 'status', status: 500, effect: 'none' },
  ]);
  expect(await ask({ ...asked, templateId })).toMatchObject(refusal(503, { code: 'store_unavailable' }));
  expect(await links()).toEqual([]);
});
