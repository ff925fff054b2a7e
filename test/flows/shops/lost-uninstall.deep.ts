import { expect, test } from 'vitest';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { placePrinted } from '../changes/manual-actions.ts';
import { clearStage, printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import { injectFaults, printOrdersOf, untilPrintOrder } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

test('after an uninstall whose webhook was lost, a reinstalled shop prints no earlier order', async () => {
  // A search proves that an order is absent only if it also finds a known order of the account.
  await placePrinted(platen);
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:quote', kind: 'status', status: 503, rate: 1 }]);
  const unsent = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintOrder(platen, unsent, ({ state }) => state === 'planned');
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/uninstall`);
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  const between = await platen.placeSkus({ 'POSTER-30X40': 1 });
  // The store's times are in whole seconds.
  await platen.pass(1_000);
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/install`);
  await installDemoShop(platen.app, platen.storeUrl);
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
  const next = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await eventually(async () => (await printedOnce(platen, next)).length).toBe(1);
});
