import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { StoreProducts, StoreProductVariants } from '../../../src/database/entities/store-products.ts';
import { readDeletedVariants } from '../../../src/orders/plan/read/read-deleted-variants.ts';
import type { StoreLineItem } from '../../../src/orders/facts/store-reading.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

describe('a deleted variant', () => {
  let app: OpenTestApp;
  let shop: Shop;

  beforeAll(async () => void (app = await openTestApp()));
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.db.query('delete from shops');
    shop = await addShop(app.db);
  });

  const link = { productUid: 'mug', fileUrl: null };
  const read = async (line: Partial<StoreLineItem> & { id: string }, lineVariants: Record<string, string> = {}) =>
    (
      await readDeletedVariants(
        app.db.manager,
        shop,
        [{ sku: null, variant: null, product: null, ...line }],
        lineVariants,
      )
    ).get(line.id);
  async function connect(status: 'connected' | 'not_connected' | 'ignored', reason: string | null): Promise<void> {
    await app.db.manager.insert(VariantConnections, { shopId: shop.id, shopifyVariantId: 'v', status, reason });
  }

  test('a deleted variant counts as previously printable if the variant recorded for the line had a print link', async () => {
    await app.db.manager.insert(PrintLinks, { shopId: shop.id, shopifyVariantId: 'v', ...link });
    expect(await read({ id: 'a' }, { a: 'v' })).toEqual({ variantId: 'v', connection: null, wasPrintable: true });
    expect(await read({ id: 'b' }, { a: 'v' })).toEqual({ variantId: null, connection: null, wasPrintable: false });
  });

  test('a deleted variant counts as previously printable if its SKU has a print link in this shop, but not if only another shop has one', async () => {
    const other = await addShop(app.db);
    await app.db.manager.insert(PrintLinks, [
      { shopId: shop.id, shopifyVariantId: 'v', sku: 'MUG', ...link },
      { shopId: other.id, shopifyVariantId: 'w', sku: 'CUP', ...link },
    ]);
    expect(await read({ id: 'a', sku: ' MUG ' })).toMatchObject({ wasPrintable: true });
    expect(await read({ id: 'a', sku: 'CUP' })).toMatchObject({ wasPrintable: false });
  });

  test('a deleted variant counts as previously printable if another variant of its product is connected, but not if that variant is ignored', async () => {
    const shopifyProductId = 'gid://shopify/Product/1';
    const product = { id: shopifyProductId, tags: [] };
    const sibling = { shopId: shop.id, shopifyVariantId: 'w', shopifyProductId };
    await app.db.manager.insert(VariantConnections, { ...sibling, status: 'ignored' });
    expect(await read({ id: 'a', product })).toMatchObject({ wasPrintable: false });
    await app.db.manager.update(VariantConnections, sibling, { status: 'connected' });
    expect(await read({ id: 'a', product })).toMatchObject({ wasPrintable: true });
    expect(await read({ id: 'a', product: { ...product, id: 'gid://shopify/Product/2' } })).toMatchObject({
      wasPrintable: false,
    });
  });

  test('a deleted variant is still not connected if the print service reported it as not connected', async () => {
    await connect('not_connected', 'not_connected_at_service');
    expect(await read({ id: 'a' }, { a: 'v' })).toMatchObject({ connection: 'not_connected' });
  });

  test('a variant that the print service ignores stays ignored after it is deleted in the store', async () => {
    await connect('not_connected', 'deleted_in_store');
    const [account]: { id: number }[] = await app.db.query(
      `insert into print_accounts (key_fingerprint, key_encrypted) values ('of-deleted-variants', '') on conflict (key_fingerprint)
       do update set key_encrypted = '' returning id`,
    );
    const storeProduct = { storeId: 's', storeProductId: 'p', readingSha256: '', readAt: new Date() };
    const ofShop = { shopId: shop.id, printAccountId: account?.id ?? 0 };
    const { identifiers } = await app.db.manager.insert(StoreProducts, { ...storeProduct, ...ofShop });
    const storeProductId = String(identifiers[0]?.['id']);
    const variant = { storeProductId, storeVariantId: 'x', shopId: shop.id, shopifyVariantId: 'v' };
    await app.db.manager.insert(StoreProductVariants, { ...variant, status: 'ignored' });
    expect(await read({ id: 'a' }, { a: 'v' })).toMatchObject({ connection: 'ignored' });
    // If two store products have different statuses for the variant, the status from before the deletion applies.
    const second = { ...storeProduct, storeProductId: 'q', ...ofShop };
    const { identifiers: others } = await app.db.manager.insert(StoreProducts, second);
    const beside = { ...variant, storeProductId: String(others[0]?.['id']), status: 'not_connected' };
    await app.db.manager.insert(StoreProductVariants, beside);
    expect(await read({ id: 'a' }, { a: 'v' })).toMatchObject({ connection: 'ignored' });
    await app.db.query(`update store_product_variants set status = 'connected' where status = 'not_connected'`);
    expect(await read({ id: 'a' }, { a: 'v' })).toMatchObject({ connection: null });
  });
});
