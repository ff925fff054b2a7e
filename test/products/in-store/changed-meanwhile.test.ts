import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
import { installShop } from '../../../src/shops/install.ts';
import { changeSettings } from '../../../src/shops/settings.ts';
import { sessionTokenOf } from '../../shops/open-store.ts';
import { appBehindProxy } from '../../tracking/store-in-between.ts';
import { openInStore, type InStoreWorld } from './in-store.ts';

let world: InStoreWorld;
beforeAll(async () => void (world = await openInStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

/** The app of a job for which something is done once, while the store is read for the variants that it looks at, or is told of them. */
function appWhile(act: () => Promise<unknown>, at = 'VariantsForStocking'): Promise<App> {
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

/** Stocked at Platen's location, and out of stock in one region of two. */
async function outInEurope(settings: object): Promise<void> {
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.workAll();
  await world.told('CARDS', { EU: 'out-of-stock', UK: 'in-stock' });
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
])('$of while a variant is looked at: what was set by the old word is set by the new one', async (one) => {
  await outInEurope(one.before);
  await world.work(await appWhile(() => changeSettings(world.app, world.shop, one.change)));
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(one.to);
});

test('a change that began before a variant was looked at and is done only after is not lost either', async () => {
  await outInEurope({ stockRegions: ['EU'] });
  const begunAt = world.app.now();
  const app = await appWhile(async () => {
    await world.set({ hideOutOfStock: false });
    await world.app.db.query('update variants_in_store set due_at = $1', [begunAt]);
  });
  await world.work(app);
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(FREE);
});

test('stockAtLocation is switched on while a variant is looked at: it is stocked', async () => {
  await world.connect(['CARDS']);
  await world.set({ hideOutOfStock: true });
  await world.work(await appWhile(() => changeSettings(world.app, world.shop, { stockAtLocation: true })));
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
});

test('the shop is left while a variant is being stocked: that is taken back', async () => {
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.work(await appWhile(() => startLeaving(world.app, world.shop), 'ToggleInventory'));
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own'] });
  expect(await world.row('CARDS')).toMatchObject({ stockedAt: null, dueAt: null });
});

test('the shop is taken up again while a variant is taken back: it is stocked again', async () => {
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.workAll();
  await startLeaving(world.app, world.shop);
  const domain = 'demo.myshopify.com';
  await world.work(await appWhile(() => installShop(world.app, { domain, sessionToken: sessionTokenOf(domain) })));
  await world.workAll();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
});
