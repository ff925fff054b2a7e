import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
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

test('if Platen is stopped for the shop while a variant is being stocked, the variant is unstocked', async () => {
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.work(await appDuringJob(() => startLeaving(world.app, world.shop), 'ToggleInventory'));
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own'] });
  expect(await world.row('CARDS')).toMatchObject({ stockedAt: null, dueAt: null });
});
