import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
import { enqueueSyncAllVariants } from '../../../src/shops/enqueue-shop-jobs.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { appBehindProxy } from '../../shipments/store-in-between.ts';
import { openInStore, type InStoreWorld } from './synced-variants.ts';

let world: InStoreWorld;
beforeAll(async () => void (world = await openInStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

/** Returns an app that runs `act` once during a job, before the store responds to the operation `at`. */
function appDuringJob(act: () => Promise<unknown>, at = 'VariantsForStocking'): Promise<App> {
  let isDone = false;
  return appBehindProxy(world, {
    async before(operation) {
      if (operation !== at || isDone) return null;
      isDone = true;
      await act();
      return null;
    },
  });
}

const FREE = { tracked: false, inventoryPolicy: 'CONTINUE', available: { own: 0, service: 0 } };
const HIDDEN = { ...FREE, tracked: true, inventoryPolicy: 'DENY' };

/** Stocks a variant at Platen's location and makes it out of stock in one of two regions. */
async function setOutOfStockInEurope(settings: object): Promise<void> {
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.workAll();
  await world.reported('CARDS', { EU: 'out-of-stock', UK: 'in-stock' });
  await world.set({ hideOutOfStock: true, ...settings });
}

test.each([
  {
    of: 'hideOutOfStock is switched off',
    before: { stockRegions: ['EU'] },
    change: { hideOutOfStock: false },
    to: FREE,
  },
  { of: 'other regions are named', before: { stockRegions: ['UK'] }, change: { stockRegions: ['EU'] }, to: HIDDEN },
])('if $of while a variant is checked, the new setting applies', async (one) => {
  await setOutOfStockInEurope(one.before);
  await world.work(await appDuringJob(() => changeSettings(world.app, world.shop, one.change)));
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(one.to);
});

test('if stockAtLocation is switched on while a variant is checked, the variant is stocked', async () => {
  await world.connect(['CARDS']);
  await world.set({ hideOutOfStock: true });
  await world.work(await appDuringJob(() => changeSettings(world.app, world.shop, { stockAtLocation: true })));
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
});

test('if Platen is stopped for the shop while a variant is being stocked, the variant is unstocked', async () => {
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.work(await appDuringJob(() => startLeaving(world.app, world.shop), 'ToggleInventory'));
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own'] });
  expect(await world.row('CARDS')).toMatchObject({ stockedAt: null, dueAt: null });
});

/** Makes variants due and runs the jobs, as after a setting change, another app's change or `platen location apply`. */
async function lookAgain(): Promise<void> {
  await enqueueSyncAllVariants(world.app, world.app.db, world.shop.id);
  await world.workAll();
}

test('a variant that is checked before its connection is committed is checked again', async () => {
  await world.set({ stockAtLocation: true, hideOutOfStock: true });
  await world.connect(['CARDS'], 'not_connected');
  await world.workAll();
  await world.app.db.transaction(async (manager) => {
    await manager.query(`update variant_connections set status = 'connected', updated_at = $1`, [
      world.app.clock.now(),
    ]);
    await lookAgain();
  });
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
});
