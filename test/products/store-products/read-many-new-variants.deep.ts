import { afterAll, beforeAll, expect, test } from 'vitest';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { importLinks } from '../../../src/products/links/import-links.ts';
import { openPrintStore, type PrintStoreWorld } from './print-store.ts';

const PRODUCTS = 500;
const VARIANTS = 20;
const ALL = PRODUCTS * VARIANTS;
/** The number of variants in the file whose products are deleted before they are read. */
const DELETED = 100;
/** The import checks products, so this product must exist at the print service. */
const PRODUCT_UID = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
const READ = 'ProductsOfVariants';

let world: PrintStoreWorld;
beforeAll(async () => void (world = await openPrintStore()), 120_000);
afterAll(() => world.close());

async function addVariants(): Promise<string[]> {
  const ids: string[] = [];
  for (let product = 0; product < PRODUCTS; product += 1) {
    const variants = Array.from({ length: VARIANTS }, (_, at) => ({ title: `No. ${at}`, sku: `SKU-${product}-${at}` }));
    const body = { title: `Product ${product}`, variants };
    const made = await world.inStore<{ variants: { variantId: string }[] }>('/products', body);
    ids.push(...made.variants.map(({ variantId }) => variantId.split('/').at(-1) ?? ''));
  }
  return ids;
}

test('the products of 10,000 imported links are read in 40 calls, and the store refuses none', async () => {
  const { app, shop } = world;
  const ids = await addVariants();
  const rows = ids.map((id) => `${id},${PRODUCT_UID},https://files.example/${id}.pdf`);
  await world.inStore('/throttle', { maximumAvailable: 2_000, restoreRate: 4_000 });
  const before = await world.callsOf(READ);
  const bytes = Buffer.from(['variant_id,product_uid,file_url', ...rows].join('\n'));
  expect(await importLinks(app, shop, { bytes, isDryRun: false })).toMatchObject({ created: ALL, errors: [] });
  for (let at = 0; at < DELETED; at += VARIANTS) await world.deleteInShop('products', ids[at] ?? '');
  await world.run();
  expect((await world.callsOf(READ)) - before).toBe(ALL / 250);
  const count = (where: object) => app.db.manager.countBy(VariantConnections, { shopId: shop.id, ...where });
  expect(await count({ status: 'connected' })).toBe(ALL - DELETED);
  expect(await count({ status: 'not_connected', reason: 'deleted_in_store' })).toBe(DELETED);
  const [{ products }] = await app.db.query(
    'select count(distinct shopify_product_id)::int as products from variant_connections where shop_id = $1',
    [shop.id],
  );
  expect(products).toBe(PRODUCTS - DELETED / VARIANTS);
}, 240_000);
