import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OrderLines, StorefrontOrders } from '../../../../src/database/entities/orders.ts';
import { PrintLinks, VariantConnections, type ConnectionStatus } from '../../../../src/database/entities/products.ts';
import { StoreProducts, StoreProductVariants } from '../../../../src/database/entities/store-products.ts';
import type { Shop } from '../../../../src/database/entities/shops.ts';
import { readUnlinkedFacts } from '../../../../src/orders/plan/read/read-unlinked-facts.ts';
import { findOrCreatePrintAccount } from '../../../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../../http/test-app.ts';

const PRODUCT = 'gid://shopify/Product/1';
const VARIANT = 'gid://shopify/ProductVariant/1';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
// Links another product, so that unknown lines are left to the merchant.
beforeEach(async () => {
  await app.db.query('delete from shops');
  shop = await addShop(app.db);
  await link('gid://shopify/ProductVariant/99', 'OTHER');
});

const link = (shopifyVariantId: string, sku: string, of = shop) =>
  app.db.manager.insert(PrintLinks, { shopId: of.id, shopifyVariantId, sku, productUid: 'mug', fileUrl: null });
const connect = (shopifyVariantId: string, status: ConnectionStatus, of = shop) =>
  app.db.manager.insert(VariantConnections, { shopId: of.id, shopifyVariantId, shopifyProductId: PRODUCT, status });
const own = (shopifyId: string, of = shop) =>
  app.db.query(`insert into own_products (shop_id, shopify_id, said_by) values ($1, $2, 'merchant')`, [
    of.id,
    shopifyId,
  ]);

async function verdict(of = shop): Promise<string | null> {
  const line = { id: 'line', sku: ' MUG ', variant: { id: VARIANT }, product: { id: PRODUCT, tags: [] } };
  return (await readUnlinkedFacts(app.db.manager, of, [line], {})).get('line') ?? null;
}

async function addStoreProduct(statuses: string[]): Promise<void> {
  const { id: printAccountId } = await findOrCreatePrintAccount(app, 'sandbox-key');
  const row = { shopId: shop.id, printAccountId, storeId: 's', storeProductId: 'p', shopifyProductId: PRODUCT };
  const { id } = await app.db.manager.save(StoreProducts, { ...row, readingSha256: '', readAt: new Date() });
  for (const [index, status] of statuses.entries())
    await app.db.manager.insert(StoreProductVariants, {
      storeProductId: id,
      storeVariantId: String(index),
      shopId: shop.id,
      status,
    });
}

async function order(reason: string | null, of = shop): Promise<void> {
  const placed = { shopId: of.id, shopifyOrderId: 'gid://shopify/Order/1', name: '#1', placedAt: new Date() };
  const { id } = await app.db.manager.save(StorefrontOrders, placed);
  const line = { storefrontOrderId: id, shopifyLineItemId: 'gid://shopify/LineItem/1', shopifyProductId: PRODUCT };
  await app.db.manager.insert(OrderLines, { ...line, decision: 'held', reason });
}

test('an unknown line is left to the merchant', async () => {
  expect(await verdict()).toBeNull();
});

test('in a shop without any print link or connection, every line counts as a print-on-demand product', async () => {
  await app.db.manager.delete(PrintLinks, { shopId: shop.id });
  expect(await verdict()).toBe('printed');
  await connect('gid://shopify/ProductVariant/50', 'ignored');
  expect(await verdict()).toBeNull();
});

test.each([
  ['another variant with its SKU has a print link', () => link('gid://shopify/ProductVariant/2', 'MUG')],
  ['another variant of its product is connected', () => connect('gid://shopify/ProductVariant/2', 'connected')],
  ['another variant of its product was connected', () => connect('gid://shopify/ProductVariant/2', 'not_connected')],
  ['the print service has its product', () => addStoreProduct([])],
  ['the print service has its product and ignores some variants', () => addStoreProduct(['ignored', 'connected'])],
  ['another order with its product is already held as not linked', () => order('not_linked')],
] as const)('an unlinked line counts as a print-on-demand product when %s', async (_, arrange) => {
  await arrange();
  expect(await verdict()).toBe('printed');
});

test.each([
  ['another variant of its product is ignored', () => connect('gid://shopify/ProductVariant/2', 'ignored')],
  ['the print service ignores its whole product', () => addStoreProduct(['ignored'])],
  ['another order with its product is held for a different reason', () => order('no_print_link')],
] as const)('an unlinked line does not count as a print-on-demand product when %s', async (_, arrange) => {
  await arrange();
  expect(await verdict()).toBeNull();
});

test.each([PRODUCT, VARIANT])(
  'a line whose product or variant is marked as own stock does not count as a print-on-demand product: %s',
  async (id) => {
    await connect('gid://shopify/ProductVariant/2', 'connected');
    await own(id);
    expect(await verdict()).toBe('own');
  },
);

test('links, connections and orders of other shops do not count', async () => {
  const other = await addShop(app.db);
  await link('gid://shopify/ProductVariant/2', 'MUG', other);
  await connect('gid://shopify/ProductVariant/2', 'connected', other);
  await own(PRODUCT, other);
  await order('not_linked', other);
  expect(await verdict()).toBeNull();
});
