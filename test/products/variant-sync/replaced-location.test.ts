import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installShop } from '../../../src/shops/install/install.ts';
import { receiveLocationDelete } from '../../../src/shops/install/receive-location-delete.ts';
import { sessionTokenOf } from '../../shops/open-store.ts';
import { appBehindProxy } from '../../shipments/store-in-between.ts';
import { openInStore, type InStoreWorld } from './synced-variants.ts';

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

describe('a location that no longer exists in the store', () => {
  /** Gives Platen the ID of a location that no longer exists, with variants stocked only at the merchant's location. */
  beforeEach(async () => {
    await world.app.db.query('update shops set location_id = $1', [OLD]);
    await world.app.db.query('update variants_in_store set location_id = $1', [OLD]);
    await world.stock('CARDS', { location: 'own', available: 0 });
  });

  test('a reinstall without an uninstall webhook stocks variants at the new location', async () => {
    await world.app.db.query(`update shops set app_installation_id = 'gid://shopify/AppInstallation/1'`);
    const app = await appBehindProxy(world, {
      async before(operation) {
        // Runs a job that was enqueued earlier while the install is still waiting for the store.
        if (operation === 'FulfillmentServices') await world.work();
        return null;
      },
    });
    await signIn(app);
    await world.workAll();
    expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  });

  test('the next sign-in stocks variants at a new location, even if a job ran before the webhook', async () => {
    await world.app.db.query('update variants_in_store set due_at = $1', [world.app.clock.now()]);
    await world.workAll();
    expect(await receiveLocationDelete(world.app, world.shop, OLD)).toBe('handled');
    await signIn();
    await world.workAll();
    expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  });
});

describe('a location that the merchant deletes while a variant is unsellable', () => {
  async function lost(): Promise<void> {
    await world.set({ hideOutOfStock: true });
    await world.reported('CARDS', { EU: 'out-of-stock' });
    await world.workAll();
    expect(await world.stockOf('CARDS')).toMatchObject(HIDDEN);
    expect(await receiveLocationDelete(world.app, world.shop, locationId ?? '')).toBe('handled');
  }

  test('the next job restores the unsellable variant, and later jobs have nothing to do', async () => {
    await lost();
    await world.work();
    expect(await world.stockOf('CARDS')).toMatchObject(FREE);
    expect(await world.row('CARDS')).toMatchObject({ found: null, dueAt: null });
    expect(await world.callsOf(() => world.work())).toEqual({});
  });
});
