import { afterEach, beforeEach, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { countChangesToUndo } from '../../../src/orders/leave/count-changes-to-undo.ts';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
import { startLocationSync } from '../../../src/products/variant-sync/start-location-sync.ts';
import { countVariantsInStore } from '../../../src/products/variant-sync/list-variants-in-store.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { entriesOf } from '../changes/manual-actions.ts';
import { injectFaults } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
// Leaving changes a shop permanently, so each test has its own shop.
beforeEach(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterEach(() => platen.stop());

const scopes = (change: object) => platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, change);
const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
const readShop = () => platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
const leave = () => startLeaving(platen.app, platen.shop);
const toUndo = () => countChangesToUndo(platen.app, platen.shop);

interface Shown {
  tags: string[];
  metafields: { key: string }[];
  fulfillmentOrders: { status: string }[];
}
async function shown({ id }: PlacedOrder): Promise<{ tags: string[]; hasMetafields: boolean; statuses: string[] }> {
  const order = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(id)}`)) as Shown;
  const statuses = order.fulfillmentOrders.map(({ status }) => status);
  return { tags: order.tags, hasMetafields: order.metafields.length > 0, statuses };
}

interface ShownVariant {
  variantId: string;
  stock: { available: Record<string, number> };
}
const variants = async () => (await platen.control('store', 'GET', '/variants')) as ShownVariant[];

/** Stocks all variants at the merchant's location first. */
async function stockAtPlatensLocation(): Promise<void> {
  for (const { variantId } of await variants())
    await platen.control('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location: 'own' });
  await startLocationSync(platen.app, await readShop());
  await eventually(() => countVariantsInStore(platen.app, platen.shop)).toMatchObject({ stocked: 9, due: 0 });
}

/** Turns on everything that Platen writes to orders and to the checkout. Places an order that is printed and one that waits for approval. */
async function placeHeldAndPrinting(): Promise<[held: PlacedOrder, printing: PlacedOrder]> {
  await scopes({ grant: ['write_orders', 'write_shipping'] });
  await set({ tagsOrders: true, writesOrderMetafields: true, liveRates: true });
  await eventually(async () => (await readShop()).carrierServiceId).not.toBeNull();
  const printing = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(printing.id, 'printing');
  await eventually(() => shown(printing)).toMatchObject({ tags: ['platen: printing'], hasMetafields: true });
  await set({ release: 'by_hand' });
  const held = await platen.placeSkus({ CARDS: 1 });
  await eventually(() => shown(held)).toEqual({ tags: ['platen: held'], hasMetafields: true, statuses: ['ON_HOLD'] });
  await untilIdle(platen.app);
  return [held, printing];
}

test('leaving undoes the stocking, closes unsent orders, leaves live orders to the service, and prints nothing afterward', async () => {
  const { app } = platen;
  await stockAtPlatensLocation();
  const live = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(live.id, 'printing');
  // This order's draft is created but never confirmed.
  await injectFaults(platen, [{ method: 'PATCH', rate: 1, kind: 'status', status: 503, effect: 'none' }]);
  const unsent = await platen.placeSkus({ CARDS: 1 });
  const drafts = async () =>
    (await platen.printed()).filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true);
  await eventually(drafts).toHaveLength(1);
  await leave();
  await eventually(toUndo).toMatchObject({ stocked: 0, unsent: 0 });
  await injectFaults(platen, []);
  await eventually(drafts).toEqual([]);
  expect((await variants()).every(({ stock }) => Object.keys(stock.available).join() === 'own')).toBe(true);
  const [closed] = await entriesOf(platen, unsent, 'closed');
  expect(closed?.message).toMatch(/ was closed before it was printed: Platen was stopped for the store\.$/);
  const orders = (await platen.printed()).filter(({ orderType }) => orderType === 'order');
  expect(orders.map(({ fulfillmentStatus }) => fulfillmentStatus)).toEqual([expect.not.stringMatching('canceled')]);
  // A new order is neither planned nor printed.
  await untilIdle(app);
  const [before, count] = [await platen.control('store', 'GET', '/calls'), (await platen.printed()).length];
  await platen.placeSkus({ 'MUG-15OZ': 1 });
  await untilIdle(app);
  expect((await platen.printed()).length).toBe(count);
  expect(await platen.control('store', 'GET', '/calls')).toEqual(before);

  // After a new installation, Platen follows its settings again, but does not send older orders, because another service may have printed
  // them in the meantime.
  await scopes({ grant: ['read_shipping'] });
  await app.db.query(`update shops set settings = settings || '{"stockAtLocation":true}' where id = $1`, [
    platen.shop.id,
  ]);
  await installDemoShop(app, platen.storeUrl);
  expect(await readShop()).toMatchObject({ state: 'installed' });
  await eventually(() => countVariantsInStore(app, platen.shop)).toMatchObject({ stocked: 9, due: 0 });
  await untilIdle(app);
  expect(await platen.printedFor(unsent.name)).toEqual([]);
  await uninstallShop(app, platen.shop);
  await expect(leave()).rejects.toMatchObject({ code: 'shop_not_installed' });
});

test('leaving removes Platen’s holds, tags, metafields and carrier service, even after a store outage, and a new installation restores them', async () => {
  const [held, printing] = await placeHeldAndPrinting();
  const failing = ['TakeBackTags', 'DeleteCarrierService'].map((operation) => ({ operation, rate: 1, kind: 'status' }));
  await injectFaults(
    platen,
    failing.map((fault) => ({ ...fault, status: 503, effect: 'none' })),
    'store',
  );
  await leave();
  await eventually(toUndo).toMatchObject({ held: 0, tagged: 2, carrierServices: 1 });
  // Checkouts get rates until the carrier service is deleted.
  expect((await readShop()).ratesTokenHash).not.toBeNull();
  await injectFaults(platen, [], 'store');
  await eventually(toUndo).toMatchObject({ tagged: 0, orderMetafields: 0, carrierServices: 0, missingScopes: [] });
  expect(await shown(held)).toEqual({ tags: [], hasMetafields: false, statuses: ['OPEN'] });
  expect(await shown(printing)).toMatchObject({ tags: [], hasMetafields: false, statuses: ['IN_PROGRESS'] });
  expect(await readShop()).toMatchObject({ state: 'leaving', carrierServiceId: null, ratesTokenHash: null });

  await installDemoShop(platen.app, platen.storeUrl);
  await eventually(() => shown(printing)).toMatchObject({ tags: ['platen: printing'], hasMetafields: true });
  await eventually(async () => (await readShop()).carrierServiceId).not.toBeNull();
});
