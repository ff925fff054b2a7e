import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installShop } from '../../../src/shops/install/install.ts';
import { receiveLocationDelete } from '../../../src/shops/install/receive-location-delete.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { sessionTokenOf } from '../../shops/open-store.ts';
import { appBehindProxy } from '../../shipments/store-in-between.ts';
import { openInStore, type InStoreWorld } from './kept-variants.ts';

const DOMAIN = 'demo.myshopify.com';
const OLD = 'gid://shopify/Location/424242';
const FREE = { tracked: false, inventoryPolicy: 'CONTINUE' };
const HIDDEN = { tracked: true, inventoryPolicy: 'DENY' };

let world: InStoreWorld;
let locationId: string | null;
beforeAll(async () => {
  world = await openInStore();
  ({ locationId } = await world.readShop());
});
beforeEach(async () => {
  await world.clear();
  await world.app.db.query('update shops set location_id = $1', [locationId]);
  await world.set({ stockAtLocation: true });
  await world.connect(['CARDS']);
  await world.workAll();
});
afterAll(() => world.close());

const signIn = (by = world.app) => installShop(by, { domain: DOMAIN, sessionToken: sessionTokenOf(DOMAIN) });

describe('a location that the store has no more', () => {
  /** As it is known of such a location: variants are stocked at the merchant's alone. */
  beforeEach(async () => {
    await world.app.db.query('update shops set location_id = $1', [OLD]);
    await world.app.db.query('update variants_in_store set location_id = $1', [OLD]);
    await world.stock('CARDS', { location: 'own', available: 0 });
  });

  test('after an install of which the uninstall was lost variants are stocked at the new one, though a job came before it was known', async () => {
    await world.app.db.query(`update shops set app_installation_id = 'gid://shopify/AppInstallation/1'`);
    const app = await appBehindProxy(world, {
      async before(operation) {
        // The store takes its time, and the job that the install has enqueued comes.
        if (operation === 'FulfillmentServices') await world.work();
        return null;
      },
    });
    await signIn(app);
    await world.workAll();
    expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  });

  test('a job met it before the news of it: variants are stocked at the one that the next sign-in makes', async () => {
    await world.app.db.query('update variants_in_store set due_at = $1', [world.app.now()]);
    await world.workAll();
    expect(await receiveLocationDelete(world.app, world.shop, OLD)).toBe('handled');
    await signIn();
    await world.workAll();
    expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  });
});

describe('the merchant deletes the location while a variant is unsellable', () => {
  async function lost(): Promise<void> {
    await world.set({ hideOutOfStock: true });
    await world.told('CARDS', { EU: 'out-of-stock' });
    await world.workAll();
    expect(await world.stockOf('CARDS')).toMatchObject(HIDDEN);
    expect(await receiveLocationDelete(world.app, world.shop, locationId ?? '')).toBe('handled');
  }

  test('it is put back by the next job, and one that comes after has nothing to do', async () => {
    await lost();
    await world.work();
    expect(await world.stockOf('CARDS')).toMatchObject(FREE);
    expect(await world.row('CARDS')).toMatchObject({ found: null, dueAt: null });
    expect(await world.callsOf(() => world.work())).toEqual({});
  });

  test('it is put back also when hideOutOfStock is switched off by then', async () => {
    await lost();
    await changeSettings(world.app, world.shop, { hideOutOfStock: false });
    await world.work();
    expect(await world.stockOf('CARDS')).toMatchObject(FREE);
  });

  test('it is unsellable again once there is a location again', async () => {
    await lost();
    await world.work();
    await signIn();
    await world.workAll();
    expect(await world.stockOf('CARDS')).toMatchObject(HIDDEN);
  });
});
