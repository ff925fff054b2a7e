import { afterEach, beforeEach, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { countChangesToUndo } from '../../../src/orders/leave/count-changes-to-undo.ts';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
import { startLocationSync } from '../../../src/products/variant-sync/start-location-sync.ts';
import { countVariantsInStore } from '../../../src/products/variant-sync/list-variants-in-store.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
// Leaving changes a shop permanently, so each test has its own shop.
beforeEach(async () => void (platen = await startPlaten({ time: 'real', advanceSeconds: null })));
afterEach(() => platen.stop());

interface Shown {
  sku: string;
  variantId: string;
  stock: { available: Record<string, number> };
}
const variants = async () => (await platen.control('store', 'GET', '/variants')) as Shown[];
const stateOf = async () => (await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id })).state;

/** Stocks all variants only at the merchant's location. */
async function stockAllAtOwnLocation(): Promise<void> {
  for (const { variantId } of await variants())
    await platen.control('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location: 'own' });
}

const leave = (...args: string[]) => runAlongside(platen, 'leave', 'demo', ...args);

test('leaving a shop undoes the stocking, closes unsent orders, leaves live orders to the service and changes nothing afterward', async () => {
  const { app, shop } = platen;
  await stockAllAtOwnLocation();
  await startLocationSync(app, await app.db.manager.findOneByOrFail(Shops, { id: shop.id }));
  await eventually(() => countVariantsInStore(app, shop)).toMatchObject({ stocked: 9, due: 0 });
  await platen.control('store', 'POST', `/shops/${shop.domain}/scopes`, { grant: ['write_products'] });
  await changeSettings(app, shop, { writesConnectionStatus: true });
  const metafields = async () => (await platen.control('store', 'GET', '/metafields')) as object[];
  await eventually(metafields).not.toEqual([]);
  const live = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(live.id, 'printing');
  // This order's draft is created but never confirmed.
  await platen.control('print', 'POST', '/faults', [
    { method: 'PATCH', rate: 1, kind: 'status', status: 503, effect: 'none' },
  ]);
  const unsent = await platen.placeSkus({ CARDS: 1 });
  const isThere = ({ orderType, deleted }: { orderType: string; deleted?: boolean }) =>
    orderType === 'draft' && deleted !== true;
  await eventually(async () => (await platen.printed()).filter(isThere)).toHaveLength(1);

  const plan = await leave();
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout).toMatch(/^9 variants stocked at Platen's location by Platen\.$/m);
  expect(plan.stdout).toMatch(/Nothing was changed/);
  expect(await stateOf()).toBe('installed');

  const done = await leave('--yes');
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toMatch(/Undone: 9 variants stocked/);
  expect(done.stdout).toMatch(/Undone: \d+ metafields of products/);
  expect(await metafields()).toEqual([]);
  expect(done.stdout).toMatch(/Nothing is left to undo\. You can remove the app in the store's admin\./);
  expect(await stateOf()).toBe('leaving');
  expect(Object.values(await variants()).map(({ stock }) => Object.keys(stock.available))).toEqual(
    Array.from({ length: 11 }, () => ['own']),
  );
  await platen.control('print', 'POST', '/faults', []);
  const orders = await platen.printed();
  expect(orders.filter(isThere)).toEqual([]);
  expect(orders.filter(({ orderType, deleted }) => orderType === 'draft' && deleted === true)).toHaveLength(1);
  const printed = orders.filter(({ orderType }) => orderType === 'order');
  expect(printed.map(({ fulfillmentStatus }) => fulfillmentStatus)).toEqual([expect.not.stringMatching('canceled')]);
  const before = await platen.control('store', 'GET', '/calls');
  const again = await leave('--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    before: { stocked: 0, unsent: 0 },
    left: { stocked: 0, unsent: 0 },
  });
  // A new order is neither planned nor printed.
  await platen.placeSkus({ 'MUG-15OZ': 1 });
  await untilIdle(app);
  expect((await platen.printed()).length).toBe(orders.length);
  expect(await platen.control('store', 'GET', '/calls')).toEqual(before);

  // After a new installation, Platen does not send older orders, because another service may have printed them in the meantime.
  await installDemoShop(app, platen.storeUrl);
  expect(await stateOf()).toBe('installed');
  await untilIdle(app);
  expect(await platen.printedFor(unsent.name)).toEqual([]);
}, 120_000);

test('a reinstalled shop follows its settings again, and leaving an uninstalled shop is refused', async () => {
  const { app, shop } = platen;
  await stockAllAtOwnLocation();
  await startLeaving(app, shop);
  await platen.control('store', 'POST', `/shops/${shop.domain}/scopes`, { grant: ['read_shipping'] });
  await app.db.query(`update shops set settings = settings || '{"stockAtLocation":true}' where id = $1`, [shop.id]);
  await installDemoShop(app, platen.storeUrl);
  expect(await stateOf()).toBe('installed');
  await eventually(() => countVariantsInStore(app, shop)).toMatchObject({ stocked: 9, due: 0 });
  await startLeaving(app, shop);
  await eventually(() => countChangesToUndo(app, shop)).toMatchObject({ stocked: 0 });
  await uninstallShop(app, shop);
  await expect(startLeaving(app, shop)).rejects.toMatchObject({ code: 'shop_not_installed' });
}, 90_000);
