import { beforeEach, expect, test } from 'vitest';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { clearStage, printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import { injectFaults, printOrdersOf, untilPrintOrder } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUOTES_FAIL = [{ method: 'POST', path: '/v4/orders:quote', kind: 'status', status: 503, rate: 1 }];

testPlaten({ advanceSeconds: null });

beforeEach(async () => {
  await clearStage(platen);
});

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
