import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { listMetafieldProblems } from '../../../src/products/link-metafields/list-metafield-problems.ts';
import { deleteLink } from '../../../src/products/links/delete-link.ts';
import { importLinks } from '../../../src/products/links/import-links.ts';
import { parseTarget } from '../../../src/products/links/parse-link.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { receiveProductChange } from '../../../src/products/store-products/receive-product-change.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { withLateResponse } from '../with-late-response.ts';

const NAMESPACE = 'print';
const FILE = 'https://files.example/mug.pdf';
const MUG = { product_uid: 'mug', file_url: FILE };
const TYPES: Record<string, string> = { file_url: 'url', page_count: 'number_integer' };

let world: TestShop;
let product: { productId: string; variants: { variantId: string }[] };
beforeAll(async () => void (world = await openTestShop()));
afterAll(() => world.close());
beforeEach(async () => {
  world.resetClock();
  await world.app.db.query(
    'delete from print_links; delete from variant_connections; delete from link_metafield_problems',
  );
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { linkMetafieldsReadTo: null });
  await world.set({ printLinkMetafields: NAMESPACE });
  await world.inStore('/faults', []);
  await emptyMetafields();
  product = await add(2);
});

/** Clears the metafields of earlier tests. */
async function emptyMetafields(): Promise<void> {
  const filled =
    await world.inStore<{ ownerId: string; key: string; namespace: string; type: string }[]>('/metafields');
  for (const one of filled) await world.inStore('/metafields', { ...one, value: null });
}

const add = (count: number) =>
  world.inStore<typeof product>('/products', {
    title: 'Mug',
    variants: Array.from({ length: count }, (_, at) => ({ title: `No. ${at}` })),
  });
/** Deletes a product or a variant in the store. */
async function remove(path: string): Promise<void> {
  expect((await fetch(`${world.storeUrl}/_control/${path}`, { method: 'DELETE' })).ok).toBe(true);
}

const variantAt = (index: number): string => product.variants[index]?.variantId ?? '';

/** Sets metafields of a variant, as the bulk editor does. A null value clears a metafield. */
async function fill(ownerId: string, values: Record<string, string | null>, namespace = NAMESPACE): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const type = TYPES[key] ?? 'single_line_text_field';
    await world.inStore('/metafields', { ownerId, namespace, key, type, value });
  }
}

/** Receives a webhook about a change to the product, and reads the product. */
async function notify(): Promise<string> {
  const shop = await world.app.db.getRepository(Shops).findOneByOrFail({ id: world.shop.id });
  const result = await receiveProductChange(world.app, shop, product.productId);
  for (const payload of await readJobPayloads(world.app.db, 'read_product'))
    await toTasks(world.app).read_product(payload as { shopId: number; shopifyProductId: string });
  await world.app.db.query('delete from graphile_worker._private_jobs');
  return result;
}

const links = async () => {
  const rows = await world.app.db.manager.find(PrintLinks, { where: { shopId: world.shop.id }, order: { id: 'ASC' } });
  return rows.map(({ shopifyVariantId: id, productUid, fileUrl, pageCount, source }) => ({
    id,
    productUid,
    fileUrl,
    pageCount,
    source,
  }));
};
const problems = async () => (await listMetafieldProblems(world.app, world.shop, null)).variants;
const pass = (app: App = world.app) => toTasks(app).catch_up_link_metafields({ shopId: world.shop.id });

test("a product webhook turns the product's metafields into a print link, which is then checked", async () => {
  await fill(variantAt(0), { ...MUG, page_count: '28' });
  const shop = await world.app.db.getRepository(Shops).findOneByOrFail({ id: world.shop.id });
  expect(await receiveProductChange(world.app, shop, product.productId)).toBe('handled');
  for (const payload of await readJobPayloads(world.app.db, 'read_product'))
    await toTasks(world.app).read_product(payload as { shopId: number; shopifyProductId: string });
  const link = { id: variantAt(0), productUid: 'mug', fileUrl: FILE, pageCount: 28, source: 'metafields' };
  expect(await links()).toEqual([link]);
  expect(await readJobPayloads(world.app.db, 'check_print_links')).toHaveLength(1);
  // One job runs immediately, and the other runs later for orders whose plan started before the change.
  expect(await readJobPayloads(world.app.db, 'plan_linked_orders')).toHaveLength(2);
});

const EMPTIED = { product_uid: null, file_url: null };
test.each([
  ['changed', MUG, { product_uid: 'poster' }, ['poster']],
  ['emptied', MUG, EMPTIED, []],
  ['filled in', EMPTIED, MUG, ['mug']],
])('metafields %s while a poll reads them are saved with their newer values', async (_, before, change, after) => {
  await fill(variantAt(0), before);
  await notify();
  const app = withLateResponse(world.app, 'LinksOfVariants', async () => {
    await fill(variantAt(0), change);
    await notify();
  });
  await pass(app);
  expect((await links()).map(({ productUid }) => productUid)).toEqual(after);
  // Later reads save the metafields again.
  await fill(variantAt(0), { ...MUG, product_uid: 'card' });
  await pass();
  expect(await links()).toMatchObject([{ productUid: 'card' }]);
});

test.each(['by hand', 'by a file'])(
  'a print link set %s is not overwritten, and the variant is listed until the link is deleted',
  async (how) => {
    // An import checks products, so this product must exist at the print service.
    const productUid = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
    await fill(variantAt(0), { ...MUG, product_uid: productUid });
    await notify();
    const csv = `variant_id,product_uid,file_url\n${variantAt(0)},${productUid},${FILE}\n`;
    // A link that a person saves, even without a change, becomes the merchant's own.
    if (how === 'by hand')
      await saveLink(world.app, world.shop, { variantId: variantAt(0), productUid, fileUrl: FILE });
    else await importLinks(world.app, world.shop, { bytes: Buffer.from(csv), isDryRun: false });
    await fill(variantAt(0), { product_uid: 'poster' });
    await notify();
    expect(await links()).toMatchObject([{ productUid, source: 'merchant' }]);
    expect(await problems()).toMatchObject([{ variantId: variantAt(0), problems: [{ field: 'print.product_uid' }] }]);
    await deleteLink(world.app, world.shop, parseTarget({ variantId: variantAt(0) }));
    await notify();
    expect([await links(), await problems()]).toMatchObject([[{ productUid: 'poster', source: 'metafields' }], []]);
  },
);

test.each(['known', 'not known'])(
  'after a manual link is deleted, the metafields apply without another webhook if the product is %s',
  async (how) => {
    await fill(variantAt(0), MUG);
    await saveLink(world.app, world.shop, { variantId: variantAt(0), productUid: 'poster' });
    const productId = how === 'known' ? product.productId : null;
    await world.app.db.query('update variant_connections set shopify_product_id = $1', [productId]);
    await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { linkMetafieldsReadTo: 'somewhere' });
    await world.app.db.query('delete from graphile_worker._private_jobs');
    await deleteLink(world.app, world.shop, parseTarget({ variantId: variantAt(0) }));
    for (const task of ['read_product', 'catch_up_link_metafields'] as const)
      for (const payload of await readJobPayloads(world.app.db, task)) await toTasks(world.app)[task](payload as never);
    expect(await links()).toMatchObject([{ id: variantAt(0), productUid: 'mug', source: 'metafields' }]);
  },
);

test('metafields create no print link without a namespace or in another namespace', async () => {
  await fill(variantAt(0), MUG, 'custom');
  expect([await notify(), await links()]).toEqual(['handled', []]);
  await fill(variantAt(0), MUG);
  await world.set({ printLinkMetafields: null });
  expect(await notify()).toBe('not_printed');
  await pass();
  expect(await links()).toEqual([]);
});

test('the poll finds metafield changes that no webhook reported, and an interrupted poll resumes where it stopped', async () => {
  product = await add(2_000);
  // The variants are removed afterwards, because a single job of another test could not read this many variants.
  onTestFinished(() => remove(`products/${product.productId.split('/').at(-1)}`));
  await fill(variantAt(0), MUG);
  await fill(variantAt(1_999), MUG);
  const calls = async () => (await world.inStore<Record<string, number>>('/calls'))['LinksOfVariants'] ?? 0;
  const before = await calls();
  await pass();
  const { linkMetafieldsReadTo } = await world.app.db.getRepository(Shops).findOneByOrFail({ id: world.shop.id });
  expect(linkMetafieldsReadTo).not.toBeNull();
  expect(await readJobPayloads(world.app.db, 'catch_up_link_metafields')).toEqual([{ shopId: world.shop.id }]);
  await world.inStore('/faults', [
    { operation: 'LinksOfVariants', rate: 1, kind: 'status', status: 500, effect: 'none', times: 1 },
  ]);
  await pass();
  await pass();
  expect((await links()).map(({ id }) => id)).toEqual([variantAt(0), variantAt(1_999)]);
  const { linkMetafieldsReadTo: end } = await world.app.db.getRepository(Shops).findOneByOrFail({ id: world.shop.id });
  expect(end).toBeNull();
  // Each page is read once, except the page that failed, which is read at most twice.
  expect((await calls()) - before).toBeLessThanOrEqual(Math.ceil((await count()) / 100) + 1);
});

const count = async () => (await world.inStore<unknown[]>('/variants')).length;
