import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreProducts } from '../../../src/database/entities/store-products.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from './print-store.ts';

let world: PrintStoreWorld;
let shirt: ShopProduct;
beforeAll(async () => {
  world = await openPrintStore();
  shirt = await world.shopProduct('TSHIRT-M');
});
afterAll(() => world.close());

const rows = () => world.app.db.manager.find(StoreProducts);

test('while the service or the store is unavailable, the read is retried and not lost', async () => {
  const { id } = await world.addProduct(shirt);
  const payload = { shopId: world.shop.id, storeId: world.storeId, storeProductId: id };
  const tasks = toTasks(world.app);
  await world.inPrint('/faults', [{ path: '/v1/stores', kind: 'status', status: 503 }]);
  await tasks.read_store_product(payload);
  expect(await readJobPayloads(world.app.db, 'read_store_product')).toEqual([{ ...payload, tries: 1 }]);
  await world.inPrint('/faults', []);
  await world.inStore('/faults', [{ kind: 'status', status: 503 }]);
  await tasks.read_store_product({ ...payload, tries: 1 });
  expect(await rows()).toEqual([]);
  expect(await readJobPayloads(world.app.db, 'read_store_product')).toEqual([{ ...payload, tries: 1 }]);
  await world.inStore('/faults', []);
  await expect.poll(async () => (await tasks.read_store_product(payload), rows())).toHaveLength(1);
});
