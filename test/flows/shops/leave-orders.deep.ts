import { afterEach, beforeEach, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { countChangesToUndo } from '../../../src/orders/leave/count-changes-to-undo.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { entriesOf } from '../changes/manual-actions.ts';
import { injectFaults } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

// Tests the changes that leaving Platen makes to the store's orders and checkout.

let platen: Platen;
// Leaving changes a shop permanently, so each test has its own shop.
beforeEach(async () => void (platen = await startPlaten({ time: 'real', advanceSeconds: null })));
afterEach(() => platen.stop());

const SETTINGS_ON = { tagsOrders: true, writesOrderMetafields: true, liveRates: true };
const scopes = (change: object) => platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, change);
const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
const readShop = () => platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
const carrierId = async () => (await readShop()).carrierServiceId;

/** Grants the permissions and turns on tags, metafields and live rates. */
async function setUp(): Promise<void> {
  await scopes({ grant: ['write_orders', 'write_shipping'] });
  await set(SETTINGS_ON);
  await eventually(carrierId).not.toBeNull();
}

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

const leave = (...args: string[]) => runAlongside(platen, 'leave', 'demo', ...args);

/** Places two orders. One is waiting for approval, and has a hold, a tag and metafields in the store. The other is being printed. */
async function placeHeldAndPrinting(): Promise<[held: PlacedOrder, printing: PlacedOrder]> {
  const printing = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(printing.id, 'printing');
  await eventually(() => shown(printing)).toMatchObject({ tags: ['platen: printing'], hasMetafields: true });
  await set({ release: 'by_hand' });
  const held = await platen.placeSkus({ CARDS: 1 });
  const isHeld = { tags: ['platen: held'], hasMetafields: true, statuses: ['ON_HOLD'] };
  await eventually(() => shown(held)).toEqual(isHeld);
  await untilIdle(platen.app);
  return [held, printing];
}

test('leaving removes Platen’s holds, tags, metafields and carrier service, and a new installation restores them', async () => {
  await setUp();
  const [held, printing] = await placeHeldAndPrinting();

  const plan = await leave();
  expect(plan.stdout).toMatch(/^1 order put on hold in the store by Platen\.$/m);
  expect(plan.stdout).toMatch(/^2 orders with Platen's tags\.$/m);
  expect(plan.stdout).toMatch(/^Platen's carrier service, which offers shipping rates at checkout\.$/m);
  expect(await shown(held)).toMatchObject({ statuses: ['ON_HOLD'] });

  const done = await leave('--yes', '--json');
  expect(JSON.parse(done.stdout)).toMatchObject({
    done: true,
    before: { held: 1, tagged: 2, orderMetafields: 2, carrierServices: 1, missingScopes: [] },
    left: { held: 0, tagged: 0, orderMetafields: 0, carrierServices: 0, missingScopes: [] },
  });
  expect(await shown(held)).toEqual({ tags: [], hasMetafields: false, statuses: ['OPEN'] });
  expect(await shown(printing)).toMatchObject({ tags: [], hasMetafields: false, statuses: ['IN_PROGRESS'] });
  expect(await readShop()).toMatchObject({ state: 'leaving', carrierServiceId: null, ratesTokenHash: null });
  const again = await leave('--yes');
  expect(again.stdout).toMatch(/^Nothing is left to undo\. You can remove the app in the store's admin\.$/m);

  await installDemoShop(platen.app, platen.storeUrl);
  await eventually(() => shown(printing)).toMatchObject({ tags: ['platen: printing'], hasMetafields: true });
  await eventually(carrierId).not.toBeNull();
}, 180_000);

test('leaving without the necessary permissions reports which changes remain and why, and still releases the holds', async () => {
  await setUp();
  const [held] = await placeHeldAndPrinting();
  await scopes({ revoke: ['write_orders', 'write_shipping'] });
  await untilIdle(platen.app);
  expect((await leave()).stdout).toMatch(
    /^Cannot be undone because the store has not granted Platen the permission write_orders: \d orders with Platen's tags\.$/m,
  );
  const done = await leave('--yes');
  expect(done.stdout).toMatch(/^Undone: 1 order put on hold in the store by Platen\.$/m);
  expect(done.stdout).toMatch(
    /^Not undone because the store has not granted Platen the permission write_orders: 2 orders with Platen's tags\.$/m,
  );
  expect(done.stdout).toMatch(/^Not undone .* the permission write_shipping: Platen's carrier service, .*\.$/m);
  expect(done.stdout).toMatch(/^To undo changes that need a missing permission, open Platen/m);
  expect(done.stdout).toMatch(/^Nothing else is left to undo\. You can remove the app in the store's admin\.$/m);
  expect(await shown(held)).toMatchObject({ tags: ['platen: held'], statuses: ['OPEN'] });
}, 180_000);

test('leaving resumes after a store outage, and checkouts get rates until the carrier service is deleted', async () => {
  await setUp();
  await placeHeldAndPrinting();
  await injectFaults(
    platen,
    ['TakeBackTags', 'DeleteCarrierService'].map((operation) => ({
      operation,
      rate: 1,
      kind: 'status',
      status: 503,
      effect: 'none',
    })),
    'store',
  );
  expect(await leave('--yes', '--no-wait')).toMatchObject({ code: 0 });
  await eventually(() => countChangesToUndo(platen.app, platen.shop)).toMatchObject({ held: 0, carrierServices: 1 });
  expect((await countChangesToUndo(platen.app, platen.shop)).tagged).toBe(2);
  expect((await readShop()).ratesTokenHash).not.toBeNull();
  await injectFaults(platen, [], 'store');
  await eventually(() => countChangesToUndo(platen.app, platen.shop)).toMatchObject({
    tagged: 0,
    orderMetafields: 0,
    carrierServices: 0,
  });
}, 180_000);

test('leaving closes unsent orders, and their timelines record that Platen was stopped for the store', async () => {
  await set({ release: 'automatic', delayMinutes: 0 });
  // This order's draft is created but never confirmed.
  await injectFaults(platen, [{ method: 'PATCH', rate: 1, kind: 'status', status: 503, effect: 'none' }]);
  const order = await platen.placeSkus({ CARDS: 1 });
  const isDraft = ({ orderType, deleted }: { orderType: string; deleted?: boolean }) =>
    orderType === 'draft' && deleted !== true;
  await eventually(async () => (await platen.printed()).filter(isDraft)).toHaveLength(1);
  expect(await leave('--yes')).toMatchObject({ code: 0 });
  await injectFaults(platen, []);
  const [closed] = await entriesOf(platen, order, 'closed');
  expect(closed?.message).toMatch(/ was closed before it was printed: Platen was stopped for the store\.$/);
}, 180_000);
