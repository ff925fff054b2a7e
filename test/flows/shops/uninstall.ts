import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { openOtherShop } from '../../helpers/open-other-shop.ts';
import { startPlaten } from '../../helpers/platen.ts';
import type { Platen, PlacedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import {
  advance,
  placeAtStage,
  clearStage,
  printedOnce,
  runScheduledJobs,
  readServiceState,
  type Stage,
} from '../changes/order-stages.ts';
import { printOrdersOf } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const OTHER = 'other.myshopify.com';

let platen: Platen;
let other: Shop;
/** The shops whose Admin API was opened, with one entry per opening. */
let called: string[];

/** Checks that the other shop still works: places one of its orders and expects it to be sent. */
async function expectOtherShopPrints(): Promise<void> {
  const all = (await platen.control('store', 'GET', `/variants?shop=${OTHER}`)) as { sku: string; variantId: string }[];
  const variantId = all.find(({ sku }) => sku === 'POSTER-30X40')?.variantId;
  const order = await platen.placeOrder({ shop: OTHER, lines: [{ variantId, quantity: 1 }] });
  await eventually(() => printOrdersOf(platen, order)).toMatchObject([{ state: 'submitted', shopId: other.id }]);
}

async function stateOf({ id }: Shop): Promise<Shop['state']> {
  return (await platen.app.db.manager.findOneByOrFail(Shops, { id })).state;
}

async function uninstall(): Promise<void> {
  const { shop, control } = platen;
  await control('store', 'POST', `/shops/${shop.domain}/uninstall`);
  await eventually(() => stateOf(shop)).toBe('uninstalled');
  await untilIdle(platen.app);
}

async function reinstallApp(): Promise<void> {
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/install`);
  await installDemoShop(platen.app, platen.storeUrl);
  expect(await stateOf(platen.shop)).toBe('installed');
}

/** Expects that a sent order is shipped, and fulfilled in the store once. */
async function expectFulfilled(order: PlacedOrder, isShipped: boolean): Promise<void> {
  await eventually(async () => (await printOrdersOf(platen, order)).map(({ state }) => state)).toEqual([
    expect.stringMatching(/^(submitted|in_production|shipped|fulfilled)$/),
  ]);
  if (!isShipped) await advance(platen, order, 'shipped');
  await eventually(async () => (await printOrdersOf(platen, order)).map(({ state }) => state)).toEqual(['fulfilled']);
  const { fulfillments } = await platen.storeOrder(order.id);
  expect(fulfillments).toMatchObject([{ lines: [{ sku: 'POSTER-30X40', quantity: 1 }] }]);
  expect(fulfillments[0]?.trackingCodes).toHaveLength(1);
  expect(await printedOnce(platen, order)).toHaveLength(1);
}

/** Expects that an unsent order is closed with the reason and not sent by the new installation. */
async function expectClosed(order: PlacedOrder): Promise<void> {
  const isFenced = async (): Promise<boolean> => {
    await runScheduledJobs(platen, 1);
    return (await printOrdersOf(platen, order)).every(({ fencedAt }) => fencedAt !== null);
  };
  await eventually(isFenced).toBe(true);
  await runScheduledJobs(platen, 2);
  const live = (JSON.parse(await readServiceState(platen, order)) as unknown[][]).filter(
    ([, , , deleted]) => deleted !== true,
  );
  expect(live).toEqual([]);
  const printOrders = await printOrdersOf(platen, order);
  for (const { closedReason } of printOrders) expect(closedReason).toMatch(/^(uninstalled|not_wanted)$/);
  const timeline = await platen.timeline(order.id);
  if (printOrders.length > 0) expect(timeline).toEqual(expect.arrayContaining(['closed', 'fenced']));
  expect((await platen.storeOrder(order.id)).fulfillments).toEqual([]);
  expect((await platen.listed(order.id)).state).toBe('nothing_to_do');
}

/** Tests an uninstall and a new installation while an order is at each of these stages. */
export function testUninstall(given: Stage[]): void {
  beforeAll(async () => {
    platen = await startPlaten({
      advanceSeconds: null,
      environment: { POLL_SECONDS: '600' },
    });
    const { shopify } = platen.app;
    const admin = shopify.admin.bind(shopify);
    called = [];
    shopify.admin = (session) => {
      called.push(session.shop);
      return admin(session);
    };
    other = await openOtherShop(platen, { printKey: 'sandbox-key-other' });
  });

  afterAll(() => platen.stop());

  test('both shops print an order', async () => {
    await expectOtherShopPrints();
    // A search proves that an order is absent only if it also finds a known order of the account.
    const known = await platen.placeSkus({ 'POSTER-30X40': 1 });
    await platen.untilState(known.id, 'printing');
  });

  describe.each(given)('an order $name', (stage) => {
    test('an uninstall stops the order, and a new installation neither sends it automatically nor prints it twice', async () => {
      const order = await placeAtStage(platen, stage);
      await uninstall();
      called = [];
      const before = await readServiceState(platen, order);
      await clearStage(platen);
      await runScheduledJobs(platen);
      await expectOtherShopPrints();
      expect(await readServiceState(platen, order)).toBe(before);
      expect(called.filter((domain) => domain === platen.shop.domain)).toEqual([]);
      expect(called).toContain(OTHER);

      // The store's times are in whole seconds, so an order that is placed in the same second as an installation counts as a new order.
      await platen.pass(1_000);
      await reinstallApp();
      await runScheduledJobs(platen, 1);
      if (stage.service === 'nothing') await expectClosed(order);
      else await expectFulfilled(order, stage.advanceTo === 'shipped');
    });
  });

  test('the new installation prints new orders', async () => {
    const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
    await platen.untilState(order.id, 'printing');
    expect(await printedOnce(platen, order)).toHaveLength(1);
  });
}
