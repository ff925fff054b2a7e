import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { listLinksPage } from '../../../src/products/links/list-links.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { saveLinks } from '../../../src/products/links/save-links.ts';
import { receiveProductChange } from '../../../src/products/store-products/receive-product-change.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from './print-store.ts';

const READ = 'ProductsOfVariants';
const FILE = 'https://files.example/shirt.pdf';
let world: PrintStoreWorld;
beforeAll(async () => void (world = await openPrintStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

const link = (variantId: string, shop = world.shop) =>
  saveLink(world.app, shop, { variantId, productUid: 'shirt', fileUrl: FILE });
const changed = ({ productId }: ShopProduct) =>
  receiveProductChange(world.app, world.shop, `gid://shopify/Product/${productId}`);
const gid = (id: string) => `gid://shopify/ProductVariant/${id}`;
const productOf = async (id: string) =>
  (await world.app.db.manager.findOneBy(VariantConnections, { shopifyVariantId: gid(id) }))?.shopifyProductId;
const problems = async () => {
  const { printLinks } = await listLinksPage(world.app, world.shop, { after: null });
  return printLinks.map((one) => one.problems.map(({ code }) => code));
};

/** Creates a separate product with one variant, because other tests use the demo products. */
async function createProduct(): Promise<ShopProduct & { variantId: string }> {
  const made = await world.inStore<{ productId: string; variants: { variantId: string }[] }>('/products', {
    title: 'Cap',
    variants: [{ title: 'One size', sku: 'CAP' }],
  });
  const variantId = made.variants[0]?.variantId.split('/').at(-1) ?? '';
  return { productId: made.productId.split('/').at(-1) ?? '', variants: { CAP: variantId }, variantId };
}

test("saving a link reads its variant's product, so that Platen detects a deletion in the store", async () => {
  const cap = await createProduct();
  await link(cap.variantId);
  await world.run();
  expect(await productOf(cap.variantId)).toBe(`gid://shopify/Product/${cap.productId}`);
  expect([await world.connections(cap), await problems()]).toEqual([{ CAP: 'connected' }, [[]]]);
  await world.deleteInShop('products', cap.productId);
  expect(await changed(cap)).toBe('handled');
  await world.run();
  expect(await world.connections(cap)).toEqual({ CAP: 'not_connected: deleted_in_store' });
});

test("a deletion that is reported before the variant's product is known is detected by the read", async () => {
  const cap = await createProduct();
  await link(cap.variantId);
  await world.deleteInShop('products', cap.productId);
  expect(await changed(cap)).toBe('not_printed');
  await world.run();
  expect(await world.connections(cap)).toEqual({ CAP: 'not_connected: deleted_in_store' });
});

test('a link for a variant that the store lacks is saved, and its problem is shown immediately', async () => {
  await link('999000999');
  await world.run();
  expect(await problems()).toEqual([['variant_deleted']]);
  expect(await link('999000999')).toMatchObject({ problems: [{ code: 'variant_deleted', field: 'variantId' }] });
  const before = await world.callsOf(READ);
  await world.run();
  expect(await world.callsOf(READ)).toBe(before);
  expect(await world.app.db.manager.countBy(PrintLinks, { shopId: world.shop.id })).toBe(1);
});

test("another shop's connection to the same variant does not change", async () => {
  const other = await world.addShopOfAccount('other.myshopify.com');
  await link('999000999', other);
  await link('999000999');
  await toTasks(world.app).read_new_variants({ shopId: world.shop.id });
  const rows = await world.app.db.manager.find(VariantConnections, { order: { shopId: 'ASC' } });
  expect(rows.map(({ shopId, status }) => [shopId, status])).toEqual([
    [world.shop.id, 'not_connected'],
    [other.id, 'connected'],
  ]);
});

test('1,100 variants are read 250 per call, and an interrupted job resumes where it stopped', async () => {
  const { app, shop } = world;
  const links = Array.from({ length: 1_100 }, (_, index) => ({
    shopifyVariantId: gid(String(998_000_000 + index)),
    sku: null,
    productUid: 'shirt',
    fileUrl: FILE,
    pageCount: null,
    envelopeProductUid: null,
    envelopesPerPiece: null,
  }));
  await app.db.transaction((manager) => saveLinks(app, manager, shop, links));
  const before = await world.callsOf(READ);
  const open = () => app.db.manager.countBy(VariantConnections, { shopId: shop.id, status: 'connected' });
  const { read_new_variants: read } = toTasks(app);
  await read({ shopId: shop.id });
  expect([await open(), (await world.callsOf(READ)) - before]).toEqual([100, 4]);
  expect(await readJobPayloads(app.db, 'read_new_variants')).toEqual([{ shopId: shop.id }]);
  await world.inStore('/faults', [{ operation: READ, rate: 1, kind: 'status', status: 403, effect: 'none' }]);
  await read({ shopId: shop.id });
  expect([await open(), await readJobPayloads(app.db, 'read_new_variants')]).toEqual([100, [{ shopId: shop.id }]]);
  await world.inStore('/faults', []);
  await world.run();
  expect([await open(), await readJobPayloads(app.db, 'read_new_variants')]).toEqual([0, []]);
  const asked = (await world.callsOf(READ)) - before;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(asked).toBeLessThanOrEqual(6);
});
