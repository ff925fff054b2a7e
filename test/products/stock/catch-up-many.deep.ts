import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { catchUpStock } from '../../../src/products/stock/catch-up-stock.ts';
import { openPrintStore, type PrintStoreWorld } from '../store-products/print-store.ts';

let world: PrintStoreWorld;
beforeAll(async () => void (world = await openPrintStore()));
afterAll(() => world.close());

const readTo = async () => (await world.app.db.manager.findOneByOrFail(Shops, { id: world.shop.id })).stockReadTo;

test('products beyond the maximum for one read are read by the next read', async () => {
  await world.app.db.query('delete from print_links');
  await world.app.db.query(
    `insert into print_links (shop_id, sku, product_uid) select $1, 'S-' || i, 'p-' || lpad(i::text, 5, '0') from generate_series(1, 25100) i`,
    [world.shop.id],
  );
  expect(await catchUpStock(world.app, { shopId: world.shop.id })).toMatchObject({ error: null });
  expect(await readTo()).toBe('p-25000');
  expect(await catchUpStock(world.app, { shopId: world.shop.id })).toMatchObject({ error: null });
  expect(await readTo()).toBeNull();
}, 120_000);
