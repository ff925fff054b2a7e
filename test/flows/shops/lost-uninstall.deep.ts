import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { post, createWebhookHeaders } from '../../http/test-app.ts';
import { clearStage, printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import { injectFaults, printOrdersOf, untilPrintOrder } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUOTES_FAIL = [{ method: 'POST', path: '/v4/orders:quote', kind: 'status', status: 503, rate: 1 }];

testPlaten({ advanceSeconds: null });
beforeAll(async () => {});

beforeEach(async () => {
  await clearStage(platen);
});

const readShop = (): Promise<Shop> => platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
const readState = async (): Promise<Shop['state']> => (await readShop()).state;

/** Places an order that is planned but cannot be quoted yet. */
async function placeUnsent(): Promise<PlacedOrder> {
  await injectFaults(platen, QUOTES_FAIL);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintOrder(platen, order, ({ state }) => state === 'planned');
  return order;
}

/** Uninstalls the app and drops the webhook. */
async function uninstallWithoutWebhook(): Promise<void> {
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/uninstall`);
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
}

async function reinstallApp(): Promise<void> {
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/install`);
  await installDemoShop(platen.app, platen.storeUrl);
}

/** Sends a signed webhook with this topic and time. Returns the result of the delivery. */
async function send(
  topic: string,
  body: object,
  triggeredAt = platen.app.clock.now(),
): Promise<string | null | undefined> {
  const { app, url, shop } = platen;
  const text = JSON.stringify({ myshopify_domain: shop.domain, shop_domain: shop.domain, ...body });
  const more = { 'X-Shopify-Webhook-Id': randomUUID(), 'X-Shopify-Triggered-At': triggeredAt.toISOString() };
  const headers = createWebhookHeaders(text, { topic, shop: shop.domain, ...more });
  expect((await post(`${url}/webhooks/shopify`, text, headers)).status).toBe(200);
  await untilIdle(app);
  const [last] = await app.db.manager.find(Deliveries, { where: { topic }, order: { id: 'DESC' }, take: 1 });
  return last?.result;
}

/** Lets a second pass, because the store's times are in whole seconds. */
const untilNextSecond = (): Promise<void> => platen.pass(1_000);

async function expectPrintedOnce(order: PlacedOrder): Promise<void> {
  const printed = async () => {
    await runScheduledJobs(platen, 1);
    return (await printedOnce(platen, order)).length;
  };
  await eventually(printed).toBe(1);
  await runScheduledJobs(platen, 2);
  expect(await printedOnce(platen, order)).toHaveLength(1);
}

test('the shop prints an order that later searches use as a control', async () => {
  // A search proves that an order is absent only if it also finds a known order of the account.
  const known = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(known.id, 'printing');
});

test('after an uninstall whose webhook was lost, a reinstalled shop prints no earlier order', async () => {
  const unsent = await placeUnsent();
  await uninstallWithoutWebhook();
  const between = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilNextSecond();
  await reinstallApp();
  await clearStage(platen);
  const isFenced = async (): Promise<boolean> => {
    await runScheduledJobs(platen, 1);
    return (await printOrdersOf(platen, unsent)).every(({ fencedAt }) => fencedAt !== null);
  };
  await eventually(isFenced).toBe(true);
  await runScheduledJobs(platen, 2);
  expect(await printOrdersOf(platen, unsent)).toMatchObject([{ closedReason: 'uninstalled' }]);
  expect([...(await printedOnce(platen, unsent)), ...(await printedOnce(platen, between))]).toEqual([]);
  expect((await platen.listed(unsent.id)).state).toBe('nothing_to_do');
  await expectPrintedOnce(await platen.placeSkus({ 'POSTER-30X40': 1 }));
});

test('after a forged uninstall webhook, the next sign-in imports only new orders', async () => {
  const before = await readShop();
  const unsent = await placeUnsent();
  // Shopify signs only the body, not the topic, so the signed body of another webhook can be sent as an uninstall webhook.
  expect(
    await send('app/uninstalled', { id: 1, currency: 'USD' }, new Date(platen.app.clock.now().getTime() + 1000)),
  ).toBe('handled');
  expect(await readState()).toBe('uninstalled');
  expect(await printOrdersOf(platen, unsent)).toMatchObject([{ closedReason: 'uninstalled' }]);
  const meanwhile = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilIdle(platen.app);
  await clearStage(platen);
  await untilNextSecond();
  await installDemoShop(platen.app, platen.storeUrl);
  const { locationId, appInstallationId } = before;
  expect(await readShop()).toMatchObject({
    state: 'installed',
    uninstalledAt: null,
    locationId,
    appInstallationId,
  });
  await untilIdle(platen.app);
  for (const { name } of [unsent, meanwhile]) expect(await platen.printedFor(name)).toEqual([]);
  await expectPrintedOnce(await platen.placeSkus({ 'POSTER-30X40': 1 }));
});
