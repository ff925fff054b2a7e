import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { parseEvent } from '../../../src/print/events.ts';
import {
  receiveStoreProductEvent,
  shareStoreProduct,
} from '../../../src/products/store-products/receive-store-product-event.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

const SHOPS = 120;
let app: OpenTestApp;
let shops: Shop[];

beforeAll(async () => {
  app = await openTestApp();
  const { id: printAccountId } = await findOrCreatePrintAccount(app, 'sandbox-key');
  for (let count = 0; count < SHOPS; count += 1) await addShop(app.db);
  await app.db.query('update shops set print_account_id = $1', [printAccountId]);
  shops = await app.db.manager.find(Shops, { order: { id: 'ASC' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from graphile_worker._private_jobs');
  await app.db.query('delete from print_stores; delete from store_products');
});

const at = (index: number): Shop => {
  const shop = shops.at(index);
  if (!shop) throw new Error('There is no such shop.');
  return shop;
};
const deliverEvent = (to: Shop, storeId: string | null = 'store') =>
  receiveStoreProductEvent(
    app,
    to,
    parseEvent({ id: 'e', event: 'store_product_updated', storeProductId: 'p', storeId }),
  );
const readFor = async () => (await readJobPayloads(app.db, 'read_store_product')).map(({ shopId }) => shopId);
const shares = () => readJobPayloads(app.db, 'share_store_product');
/** Runs the job that enqueues reads for the next shops. */
async function share(): Promise<void> {
  const [payload] = await shares();
  await app.db.query(
    `delete from graphile_worker._private_jobs where task_id = (select id from graphile_worker._private_tasks where identifier = 'share_store_product')`,
  );
  await shareStoreProduct(app, payload as never);
}

test('the shop that got the event reads the product first, and every other shop reads it once later', async () => {
  const own = at(-1);
  expect(await deliverEvent(own)).toBe('handled');
  const first = await readFor();
  expect(first).toHaveLength(50);
  expect(first).toContain(own.id);
  await share();
  expect(await readFor()).toHaveLength(100);
  await share();
  expect((await readFor()).toSorted((a, b) => Number(a) - Number(b))).toEqual(shops.map(({ id }) => id));
  expect(await shares()).toEqual([]);
});
