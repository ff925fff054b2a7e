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

describe('after the store has lost the location', () => {
  /** Platen has the id of a location that no longer exists, and variants are stocked only at the merchant's. */
  beforeEach(async () => {
    await world.app.db.query('update shops set location_id = $1', [OLD]);
    await world.app.db.query('update variants_in_store set location_id = $1', [OLD]);
    await world.stock('CARDS', { location: 'own', available: 0 });
  });

  test('a reinstall without an uninstall webhook stocks variants at the new location, even if a job runs before it', async () => {
    await world.app.db.query(`update shops set app_installation_id = 'gid://shopify/AppInstallation/1'`);
    const app = await appBehindProxy(world, {
      async before(operation) {
        // The job that the install has enqueued runs before the store answers.
        if (operation === 'FulfillmentServices') await world.work();
        return null;
      },
    });
    await signIn(app);
    await world.workAll();
    expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  });

  test('the next sign-in stocks variants at a new location, even if a job ran before the webhook of the deletion', async () => {
    await world.app.db.query('update variants_in_store set due_at = $1', [world.app.now()]);
    await world.workAll();
    expect(await receiveLocationDelete(world.app, world.shop, OLD)).toBe('handled');
    await signIn();
    await world.workAll();
    expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  });
});

describe('when the merchant deletes the location while a variant is unsellable', () => {
  async function lost(): Promise<void> {
    await world.set({ hideOutOfStock: true });
    await world.told('CARDS', { EU: 'out-of-stock' });
    await world.workAll();
    expect(await world.stockOf('CARDS')).toMatchObject(HIDDEN);
    expect(await receiveLocationDelete(world.app, world.shop, locationId ?? '')).toBe('handled');
  }

  test('the next job restores it, and later jobs have nothing to do', async () => {
    await lost();
    await world.work();
    expect(await world.stockOf('CARDS')).toMatchObject(FREE);
    expect(await world.row('CARDS')).toMatchObject({ found: null, dueAt: null });
    expect(await world.callsOf(() => world.work())).toEqual({});
  });

  test('it is restored even if hideOutOfStock has been switched off', async () => {
    await lost();
    await changeSettings(world.app, world.shop, { hideOutOfStock: false });
    await world.work();
    expect(await world.stockOf('CARDS')).toMatchObject(FREE);
  });

  test('it is made unsellable again once there is a new location', async () => {
    await lost();
    await world.work();
    await signIn();
    await world.workAll();
    expect(await world.stockOf('CARDS')).toMatchObject(HIDDEN);
  });
});
