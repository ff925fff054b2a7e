import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IsNull } from 'typeorm';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { decryptBody } from '../../../src/orders/facts/recipient-column.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

const OWN = 'https://uploads.example/mum.pdf';
const OF_THE_LINK = 'https://files.example/generic.pdf';
const HOSTS = ['uploads.example'];

let world: TestShop;
let storefrontOrderId: string;
beforeAll(async () => {
  world = await openTestShop();
  await world.set({ delayMinutes: 0 });
});
afterAll(() => world.close());

beforeEach(() => placeOrder());

/** Places an order with a print file in a line property and plans it without sending it. */
async function placeOrder(): Promise<void> {
  const { app, shop } = world;
  await world.set({ printFileProperty: '_print_file', printFileHosts: HOSTS });
  type Variant = { sku: string; variantId: string; productUid: string };
  const variants = await world.inStore<Variant[]>('/variants');
  const { variantId = '', productUid = '' } = variants.find(({ sku }) => sku === 'POSTER-30X40') ?? {};
  await saveLink(app, shop, { variantId, productUid, fileUrl: OF_THE_LINK });
  const lines = [{ variantId, quantity: 1, properties: { _print_file: OWN } }];
  const { id: shopifyOrderId } = await world.inStore<{ id: string }>('/orders', { lines });
  await expect.poll(() => world.storeOrder(shopifyOrderId)).toHaveProperty('fulfillmentOrders.0.id');
  await receiveOrder(app, shop, shopifyOrderId);
  const { id } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId });
  storefrontOrderId = id;
  await plan();
  expect(await prints()).toMatchObject([{ state: 'planned', closedAt: null }]);
}

async function plan(): Promise<void> {
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await planStorefrontOrder(world.app, { storefrontOrderId });
}
const prints = () => world.app.db.manager.findBy(PrintOrders, { storefrontOrderId });
const holds = () => world.app.db.manager.findBy(Holds, { storefrontOrderId, resolvedAt: IsNull() });

/** Quotes the order and returns the file URLs in the bodies of its print orders. */
async function filesToSend(): Promise<(string | null)[]> {
  await toTasks(world.app).quote_order({ storefrontOrderId });
  const bodies = (await prints()).map((one) => decryptBody(world.app, one));
  expect(JSON.stringify(bodies)).not.toContain(OF_THE_LINK);
  return bodies.flatMap(({ items }) => items.map((item) => ('fileUrl' in item ? (item.fileUrl ?? null) : null)));
}

test('an order keeps the print file of its line when the setting is changed', async () => {
  await changeSettings(world.app, world.shop, { printFileProperty: '_design_file' });
  await plan();
  expect([await holds(), await prints()]).toMatchObject([[], [{ state: 'planned', closedAt: null }]]);
  expect(await filesToSend()).toEqual([OWN]);
});

test('an order whose print file is on a host that is not allowed is held, and resumes once the host is allowed', async () => {
  const { app, shop } = world;
  await changeSettings(app, shop, { printFileProperty: null, printFileHosts: [] });
  await plan();
  const [hold, ...others] = await holds();
  expect([hold, others]).toMatchObject([{ code: 'print_file_refused', field: 'fileUrl' }, []]);
  expect(hold?.message).not.toMatch(/null|mum/);
  expect(await prints()).toMatchObject([{ state: 'planned', closedAt: null }]);
  await changeSettings(app, shop, { printFileHosts: HOSTS });
  await toTasks(app).resume_shop({ shopId: shop.id });
  expect(await readJobPayloads(app.db, 'plan_order')).toContainEqual({ storefrontOrderId });
  await plan();
  expect(await holds()).toEqual([]);
  expect(await filesToSend()).toEqual([OWN]);
});
