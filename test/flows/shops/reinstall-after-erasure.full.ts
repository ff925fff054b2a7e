import { afterEach, beforeAll, expect, test } from 'vitest';
import { Backfills } from '../../../src/database/entities/backfills.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { startBackfill } from '../../../src/orders/backfill/start-backfill.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { advance } from '../changes/order-stages.ts';
import { atService, printOrdersOf, SEARCH_FAILS } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';
const MUG = 'MUG-11OZ';

let shop: Shop;

testPlaten({ advanceSeconds: null, environment: { POLL_SECONDS: '600' } });
beforeAll(async () => {
  ({ shop } = platen);
}, 120_000);
afterEach(() => platen.control('print', 'POST', '/faults', []));

const placedOnce = async (lines: Record<string, number>): Promise<PlacedOrder> => {
  const order = await platen.placeSkus(lines);
  await eventually(async () => (await listed(order))?.state).toBe('printing');
  return order;
};

/** Returns the order as the pages show it, or null. */
async function listed({ id }: PlacedOrder) {
  const { manager } = platen.app.db;
  const order = await manager.findOneBy(StorefrontOrders, { shopId: shop.id, shopifyOrderId: id });
  return order && showOrder(platen.app, await findOrder(platen.app, shop, order.name));
}

/** Removes Platen, deletes the shop's data, installs Platen again with its key and links, and imports the orders. */
async function eraseAndInstallAgain({
  faults = [],
  ...settings
}: { printKey?: string; extendedCalls?: boolean; printInterface?: 'v2'; faults?: object[] } = {}): Promise<void> {
  const { app, control, storeUrl } = platen;
  const { domain, id } = shop;
  await control('store', 'POST', `/shops/${domain}/uninstall`, {});
  await eventually(async () => (await app.db.manager.findOneBy(Shops, { id }))?.state).toBe('uninstalled');
  const body = { shop_id: 1, shop_domain: domain };
  await control('store', 'POST', '/webhooks/send', { topic: 'shop/redact', shop: domain, body });
  await eventually(() => app.db.manager.countBy(Shops, { id })).toBe(0);
  expect(await app.db.manager.countBy(StorefrontOrders, { shopId: id })).toBe(0);
  await control('print', 'POST', '/faults', faults);
  await control('store', 'POST', `/shops/${domain}/install`, {});
  // A poll may plan an order as soon as the shop has a print key, so the other settings must not come later.
  const { id: newId } = await installDemoShop(app, storeUrl, { gatherSeconds: 0, ...settings });
  shop = await app.db.manager.findOneByOrFail(Shops, { id: newId });
  const since = new Date(app.clock.now().getTime() - 86_400_000).toISOString();
  const backfill = await startBackfill(app, shop, { since, isDryRun: false, besideOtherApp: true, by: 'cli' });
  const isDone = async () => (await app.db.manager.findOneByOrFail(Backfills, { id: backfill.id })).finishedAt !== null;
  await eventually(isDone).toBe(true);
  await untilIdle(app);
}

test('after the shop is erased and installs Platen again, orders at the print service wait while searches fail, and are followed and fulfilled once', async () => {
  const one = await placedOnce({ [POSTER]: 1 });
  const two = await placedOnce({ [POSTER]: 2, [MUG]: 1 });
  await eraseAndInstallAgain({ faults: [SEARCH_FAILS] });
  for (const order of [one, two]) {
    await eventually(async () => (await listed(order))?.waits).toMatchObject([
      { message: expect.stringContaining('print orders that the database lacks'), nextAt: expect.any(String) },
    ]);
    expect((await listed(order))?.holds).toEqual([]);
    expect(await printOrdersOf(platen, order)).toEqual([]);
  }
  await platen.control('print', 'POST', '/faults', []);
  for (const order of [one, two]) {
    await eventually(async () => (await listed(order))?.state).toBe('printing');
    expect((await listed(order))?.holds).toEqual([]);
    expect((await listed(order))?.waits).not.toEqual([]);
    await advance(platen, order, 'shipped');
    await eventually(async () => (await listed(order))?.state).toBe('fulfilled');
    const { fulfillments, lines } = await platen.storeOrder(order.id);
    expect(fulfillments.flatMap((one) => one.lines).reduce((sum, { quantity }) => sum + quantity, 0)).toBe(
      lines.reduce((sum, { quantity }) => sum + quantity, 0),
    );
    for (const fulfillment of fulfillments) {
      expect(fulfillment.trackingCodes).not.toEqual([]);
      expect(fulfillment.notified).toBe(true);
    }
    expect(await atService(platen, order)).toHaveLength(1);
    expect(await printOrdersOf(platen, order)).toHaveLength(1);
  }
});

test('units that another print account printed before the erasure are held until its key is entered again', async () => {
  const order = await placedOnce({ [POSTER]: 1 });
  await eraseAndInstallAgain({ printKey: 'sandbox-key-second' });
  await eventually(async () => (await listed(order))?.state).toBe('held');
  expect((await listed(order))?.holds).toMatchObject([{ code: 'printed_before', actions: ['retry', 'cancel'] }]);
  expect(await printOrdersOf(platen, order)).toEqual([]);
  // Entering the key of that account is enough.
  await changeSettings(platen.app, shop, { printKey: 'sandbox-key' });
  await eventually(async () => (await listed(order))?.state).toBe('printing');
  expect((await listed(order))?.holds).toEqual([]);
  expect(await atService(platen, order)).toHaveLength(1);
});
