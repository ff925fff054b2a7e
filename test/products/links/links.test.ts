import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks, VariantConnections, type ConnectionStatus } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { copyLink } from '../../../src/products/links/copy-link.ts';
import { deleteLink } from '../../../src/products/links/delete-link.ts';
import { listLinks, listLinksPage } from '../../../src/products/links/list-links.ts';
import { parseLink, parseTarget } from '../../../src/products/links/parse-link.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { saveLinks } from '../../../src/products/links/save-links.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

const VARIANT = 'gid://shopify/ProductVariant/';
const MUG = { productUid: 'mug', fileUrl: 'https://files.example/mug.pdf', pageCount: null };
const BOOK = { productUid: 'book', fileUrl: 'https://files.example/book.pdf', pageCount: 24 };

let app: OpenTestApp;
let shop: Shop;
let other: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  await app.db.query('delete from graphile_worker._private_jobs');
  [shop, other] = [await addShop(app.db), await addShop(app.db)];
  // Another shop's links, which no test may change.
  await app.db.manager.insert(PrintLinks, [
    { shopId: other.id, shopifyVariantId: `${VARIANT}1`, ...MUG },
    { shopId: other.id, shopifyVariantId: null, sku: 'BOOK', ...BOOK },
  ]);
  await app.db.manager.insert(VariantConnections, {
    shopId: other.id,
    shopifyVariantId: `${VARIANT}1`,
    status: 'connected',
  });
});

const variant = (id: number) => parseTarget({ variantId: String(id) });
const sku = (name: string) => parseTarget({ sku: name });
const linksOf = (of = shop) => Array.fromAsync(listLinks(app, of));
const valuesOf = async (of = shop) =>
  (await linksOf(of)).map(({ variantId, sku: name, productUid, pageCount }) => [
    variantId,
    name,
    productUid,
    pageCount,
  ]);

async function statusOf(id: number, of = shop): Promise<ConnectionStatus | null> {
  const where = { shopId: of.id, shopifyVariantId: `${VARIANT}${id}` };
  return (await app.db.manager.findOneBy(VariantConnections, where))?.status ?? null;
}

const setStatus = (id: number, status: ConnectionStatus, storeProductId: string | null = null) =>
  app.db.manager.insert(VariantConnections, {
    shopId: shop.id,
    shopifyVariantId: `${VARIANT}${id}`,
    status,
    storeProductId,
  });

async function expectOtherShopUnchanged(): Promise<void> {
  expect(await valuesOf(other)).toEqual([
    [`${VARIANT}1`, null, 'mug', null],
    [null, 'BOOK', 'book', 24],
  ]);
  expect(await statusOf(1, other)).toBe('connected');
}

test('a saved link is listed, replaces the previous link and connects a variant without a connection', async () => {
  const saved = await saveLink(app, shop, { variantId: '1', sku: 'MUG', ...MUG });
  expect(saved).toMatchObject({ variantId: `${VARIANT}1`, sku: 'MUG', ...MUG, envelopeProductUid: null });
  expect(await statusOf(1)).toBe('connected');
  await saveLink(app, shop, { variantId: '1', productUid: 'book', pageCount: 8 });
  expect(await linksOf()).toMatchObject([{ productUid: 'book', fileUrl: null, pageCount: 8, sku: 'MUG' }]);
  await expectOtherShopUnchanged();
});

test('a link from metafields does not replace a link that a person has saved, even if the person changed nothing', async () => {
  const save = (id: string, link: object, source: 'merchant' | 'metafields') =>
    app.db.transaction((manager) =>
      saveLinks(app, manager, shop, [parseLink({ variantId: id, ...link })], undefined, source),
    );
  expect(await save('1', MUG, 'metafields')).toMatchObject({ created: 1 });
  expect(await save('1', BOOK, 'metafields')).toMatchObject({ changed: 1 });
  expect(await save('1', BOOK, 'merchant')).toMatchObject({ unchanged: 1 });
  expect(await save('1', MUG, 'metafields')).toMatchObject({ unchanged: 1 });
  expect(await linksOf()).toMatchObject([{ productUid: 'book', source: 'merchant' }]);
  await expectOtherShopUnchanged();
});

test('a link can be copied between a variant and a SKU, and a change of the copy does not change the original', async () => {
  const envelopes = { envelopeProductUid: 'envelope', envelopesPerPiece: 2 };
  await saveLink(app, shop, { variantId: '1', ...BOOK, ...envelopes });
  await copyLink(app, shop, { from: variant(1), to: sku('BOOK') });
  const copied = await copyLink(app, shop, { from: sku('BOOK'), to: variant(2) });
  expect(copied).toMatchObject({ variantId: `${VARIANT}2`, sku: null, ...BOOK, ...envelopes });
  expect(await statusOf(2)).toBe('connected');
  await saveLink(app, shop, { variantId: '1', ...MUG });
  expect(await valuesOf()).toEqual([
    [`${VARIANT}1`, null, 'mug', null],
    [null, 'BOOK', 'book', 24],
    [`${VARIANT}2`, null, 'book', 24],
  ]);
  await expectOtherShopUnchanged();
});

test("another shop's link cannot be copied or deleted", async () => {
  for (const target of [variant(1), sku('BOOK')]) {
    await expect(copyLink(app, shop, { from: target, to: variant(9) })).rejects.toThrow(/There is no print link for/);
    await expect(deleteLink(app, shop, target)).rejects.toThrow(/There is no print link for/);
  }
  expect(await linksOf()).toEqual([]);
  await expectOtherShopUnchanged();
});

test('deleting a link deletes the connection that the link created, but no other connection', async () => {
  await setStatus(2, 'ignored');
  await setStatus(3, 'connected', 'product');
  for (const variantId of ['1', '2', '3']) await saveLink(app, shop, { variantId, sku: 'MUG', ...MUG });
  await saveLink(app, shop, { sku: 'MUG', ...MUG });
  for (const id of [1, 2, 3]) await deleteLink(app, shop, variant(id));
  expect(await Promise.all([1, 2, 3].map((id) => statusOf(id)))).toEqual([null, 'ignored', 'connected']);
  expect(await valuesOf()).toEqual([[null, 'MUG', 'mug', null]]);
  await deleteLink(app, shop, sku('MUG'));
  await expect(deleteLink(app, shop, sku('MUG'))).rejects.toThrow('There is no print link for SKU MUG.');
  await expectOtherShopUnchanged();
});

test('links are listed in pages, or for a single variant or SKU', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({
    shopId: shop.id,
    shopifyVariantId: `${VARIANT}${index}`,
    sku: `SKU-${index % 50}`,
    ...MUG,
  }));
  await app.db.manager.insert(PrintLinks, rows);
  const first = await listLinksPage(app, shop, { after: null });
  const second = await listLinksPage(app, shop, { after: first.next });
  expect([first.printLinks.length, second.printLinks.length, second.next]).toEqual([100, 50, null]);
  expect(new Set([...first.printLinks, ...second.printLinks].map(({ variantId }) => variantId)).size).toBe(150);
  expect((await listLinksPage(app, shop, { after: null, target: sku('SKU-7') })).printLinks).toHaveLength(3);
  expect((await listLinksPage(app, shop, { after: null, target: variant(7) })).printLinks).toMatchObject([
    { variantId: `${VARIANT}7`, sku: 'SKU-7' },
  ]);
  expect(await listLinksPage(app, shop, { after: '9'.repeat(18) })).toEqual({ printLinks: [], next: null });
});
