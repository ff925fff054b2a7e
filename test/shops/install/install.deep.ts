import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintWebhookTokens, Shops, ShopTokens } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { FulfillmentServicesDocument } from '../../../src/shopify/generated/operations.ts';
import { findShop, findShopByDomain } from '../../../src/shops/find-shop.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings, readSettings } from '../../../src/shops/settings/settings.ts';
import { syncFulfillmentService } from '../../../src/shops/install/keep-fulfillment-service.ts';
import { receiveLocationDelete } from '../../../src/shops/install/receive-location-delete.ts';
import { receiveUninstall } from '../../../src/shops/install/receive-uninstall.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { DEMO, openStore, sessionTokenOf } from '../open-store.ts';
import type { TestStore } from '../open-store.ts';
import { atTime } from '../../helpers/at-time.ts';

let store: TestStore;
let app: App;

beforeEach(async () => {
  store = await openStore();
  app = store.app;
});

afterEach(() => store.close());

function install(at: App = app): Promise<Shop> {
  return installShop(at, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
}

/** Removes the app in the store. Platen does not receive the webhook. */
async function uninstallInStore(): Promise<void> {
  await store.control(`/shops/${DEMO}/uninstall`, {});
}

function inMinutes(minutes: number): App {
  return atTime(app, () => new Date(Date.now() + minutes * 60_000));
}

async function servicesOf(shop: Shop) {
  const admin = await openAdmin(app, shop);
  return (await admin.request(FulfillmentServicesDocument, {})).shop.fulfillmentServices;
}

describe('the install of a shop', () => {
  test("an install stores the shop's data, creates the fulfillment service and starts accepting orders", async () => {
    const before = Date.now();
    const shop = await install();
    expect(shop).toMatchObject({
      domain: DEMO,
      state: 'installed',
      name: 'Demo Shop',
      currency: 'USD',
      contactEmail: 'contact@demo.example',
    });
    expect(shop.takesOrdersFrom.getTime()).toBeGreaterThanOrEqual(before);
    expect(await servicesOf(shop)).toMatchObject([
      {
        id: shop.fulfillmentServiceId,
        serviceName: 'Platen',
        callbackUrl: 'http://127.0.0.1:3000/fulfillment',
        location: { id: shop.locationId },
      },
    ]);
    expect((await readInstallation(app)).code).toMatch(/^[a-z0-9]{4}$/);
    expect(await findShopByDomain(app, DEMO)).toEqual(shop);
  });

  test('an install stores both tokens encrypted', async () => {
    await install();
    const token = await store.app.db.getRepository(ShopTokens).findOneByOrFail({});
    expect(JSON.stringify(token)).not.toContain('shp');
    expect(token.refreshTokenEncrypted).toMatch(/^v1\./);
  });

  test('a repeated install changes only the tokens and the time of the sign-in', async () => {
    const first = await install();
    await changeSettings(app, first, { delayMinutes: 3 });
    const second = await install(inMinutes(10));
    expect(second).toEqual({ ...first, settings: { delayMinutes: 3 }, signedInAt: expect.any(Date) });
    expect(second.signedInAt.getTime()).toBeGreaterThan(first.signedInAt.getTime());
    expect(await servicesOf(second)).toHaveLength(1);
  });

  test('simultaneous installs create one shop and one fulfillment service', async () => {
    const shops = await Promise.all([install(), install(), install()]);
    expect(new Set(shops.map(({ id, locationId }) => `${id} ${locationId}`)).size).toBe(1);
    expect(await store.app.db.getRepository(Shops).count()).toBe(1);
    expect(await servicesOf(shops[0])).toHaveLength(1);
  });

  test('an install resumes where a failed install ended', async () => {
    await store.control('/faults', [{ operation: 'CreateFulfillmentService', kind: 'status', status: 500, times: 1 }]);
    await expect(install()).rejects.toMatchObject({ code: 'shopify_unavailable' });
    expect((await install()).locationId).toMatch(/^gid:/);
  });

  test('an install refuses the session token of another shop', async () => {
    const sessionToken = sessionTokenOf('other.myshopify.com');
    await expect(installShop(app, { domain: DEMO, sessionToken })).rejects.toMatchObject({
      code: 'invalid_session_token',
    });
    expect(await store.app.db.getRepository(Shops).count()).toBe(0);
  });
});

describe('a fulfillment service that was deleted in the store', () => {
  const deleteService = (keepsLocation: boolean) => store.control(`/shops/${DEMO}/delete-service`, { keepsLocation });

  test.each([true, false])(
    'the service is created again, and orders are planned again (location kept: %s)',
    async (keeps) => {
      const shop = await install();
      await app.db.query('delete from graphile_worker._private_jobs');
      await deleteService(keeps);
      await syncFulfillmentService(app, { shopId: shop.id });
      const now = await findShop(app, shop.id);
      expect(await servicesOf(shop)).toMatchObject([
        { id: now.fulfillmentServiceId, location: { id: now.locationId } },
      ]);
      expect(now.fulfillmentServiceId).not.toBe(shop.fulfillmentServiceId);
      expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([{ shopId: shop.id }]);
      expect(await readJobPayloads(app.db, 'keep_variants')).toEqual([{ shopId: shop.id }]);
    },
  );

  test('a service that exists does not change, and nothing is planned again', async () => {
    const shop = await install();
    await app.db.query('delete from graphile_worker._private_jobs');
    await syncFulfillmentService(app, { shopId: shop.id });
    expect(await findShop(app, shop.id)).toEqual(shop);
    expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([]);
  });

  test('after the webhook about its deleted location, the service is created again without a sign-in', async () => {
    const shop = await install();
    await deleteService(false);
    await receiveLocationDelete(app, shop, shop.locationId ?? undefined);
    await syncFulfillmentService(app, { shopId: shop.id });
    expect((await findShop(app, shop.id)).locationId).toMatch(/^gid:/);
  });
});

describe('the uninstall of a shop', () => {
  test('an uninstall deletes the tokens and webhook addresses, but not the shop and its settings', async () => {
    const shop = await install();
    await changeSettings(app, shop, { delayMinutes: 3, printKey: 'sandbox-key' });
    await createPrintWebhookAddress(app, shop);
    await uninstallShop(app, shop);
    const gone = await findShop(app, shop.id);
    expect(gone).toMatchObject({ state: 'uninstalled', uninstalledAt: expect.any(Date), locationId: null });
    expect(readSettings(gone).delayMinutes).toBe(3);
    expect(await store.app.db.getRepository(ShopTokens).count()).toBe(0);
    expect(await store.app.db.getRepository(PrintWebhookTokens).count()).toBe(0);
    await expect(openAdmin(app, shop)).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
    expect((await findShop(app, shop.id)).state).toBe('uninstalled');
  });

  test('a repeated uninstall does not change the time of the first uninstall', async () => {
    const shop = await install();
    await uninstallShop(app, shop);
    const { uninstalledAt } = await findShop(app, shop.id);
    await uninstallShop(inMinutes(5), shop);
    expect((await findShop(app, shop.id)).uninstalledAt).toEqual(uninstalledAt);
  });

  test('a new install restores the shop with its settings, and only orders placed from then on are printed', async () => {
    const first = await install();
    await changeSettings(app, first, { delayMinutes: 3 });
    await uninstallInStore();
    await uninstallShop(app, first);
    await store.app.db.query('delete from graphile_worker._private_jobs');
    const again = await install(inMinutes(60));
    expect(again).toMatchObject({
      id: first.id,
      state: 'installed',
      uninstalledAt: null,
      settings: { delayMinutes: 3 },
    });
    expect(again.takesOrdersFrom.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    expect(again.locationId).not.toBeNull();
    expect(await readJobPayloads(store.app.db, 'resume_shop')).toEqual([{ shopId: first.id }]);
  });

  test('an uninstall without a webhook is detected by the new install', async () => {
    const first = await install();
    await uninstallInStore();
    await store.app.db.query('delete from graphile_worker._private_jobs');
    const again = await install(inMinutes(60));
    expect(again).toMatchObject({ id: first.id, state: 'installed' });
    expect(again.appInstallationId).not.toBe(first.appInstallationId);
    expect([again.takesOrdersFrom, again.installedAt]).toEqual([again.signedInAt, again.signedInAt]);
    expect(await readJobPayloads(store.app.db, 'resume_shop')).toEqual([{ shopId: first.id }]);
  });

  test('a shop that was wrongly recorded as uninstalled accepts orders again after its next sign-in', async () => {
    const first = await install();
    await uninstallShop(app, first);
    const again = await install(inMinutes(60));
    const { signedInAt } = again;
    expect(again).toEqual({ ...first, signedInAt, installedAt: signedInAt, takesOrdersFrom: signedInAt });
    expect(await readJobPayloads(store.app.db, 'resume_shop')).toContainEqual({ shopId: first.id });
  });

  test.each([
    ['uninstalled', true],
    ['installed', false],
    ['needs_sign_in', false],
  ] as const)(
    'a shop in the state %s without a known installation ID counts as reinstalled: %s',
    async (state, isNew) => {
      const first = await install();
      await app.db.getRepository(Shops).update({ id: first.id }, { appInstallationId: null, state });
      const again = await install(inMinutes(60));
      expect(again.takesOrdersFrom > first.takesOrdersFrom).toBe(isNew);
      expect(again.appInstallationId).toBe(first.appInstallationId);
    },
  );
});

describe('a webhook about an uninstall', () => {
  /** Returns a time before the shop's latest sign-in, by the store's clock. */
  const minutesAgo = () => new Date(Date.now() - 60_000);
  const stateOf = async ({ id }: Shop) => (await findShop(app, id)).state;

  test('an uninstall webhook from before the latest sign-in changes nothing if the store still has the app', async () => {
    const shop = await install();
    expect(await receiveUninstall(app, shop, minutesAgo())).toBe('still_installed');
    expect(await findShop(app, shop.id)).toEqual(shop);
    expect((await openAdmin(app, shop)).shop).toBe(DEMO);
  });

  test('a webhook that seems older than the latest sign-in uninstalls the shop if the store no longer has the app', async () => {
    const shop = await install(inMinutes(1));
    await uninstallInStore();
    expect(await receiveUninstall(app, shop, new Date())).toBe('handled');
    expect(await stateOf(shop)).toBe('uninstalled');
  });

  test('a webhook uninstalls the shop without a call to the store if only a token renewal, but no sign-in, followed', async () => {
    const shop = await install();
    const at = new Date();
    await store.control('/tokens/expire', {});
    await servicesOf(shop);
    await store.control('/faults', [{ path: `/${DEMO}/admin`, kind: 'reset' }]);
    expect(await receiveUninstall(app, shop, at)).toBe('handled');
    expect(await stateOf(shop)).toBe('uninstalled');
  });

  test('a webhook that seems older than the latest sign-in is retried while the store does not respond', async () => {
    const shop = await install();
    await uninstallInStore();
    await store.control('/faults', [{ path: `/${DEMO}/admin`, kind: 'status', status: 503 }]);
    await expect(receiveUninstall(app, shop, minutesAgo())).rejects.toMatchObject({ code: 'shopify_unavailable' });
    expect(await stateOf(shop)).toBe('installed');
    await store.control('/faults', []);
    expect(await receiveUninstall(app, shop, minutesAgo())).toBe('handled');
  });

  test('a webhook that seems older than the latest sign-in changes nothing if the shop signs in during the check', async () => {
    const shop = await install();
    await store.control('/tokens/revoke', { shop: DEMO });
    const admin: typeof app.shopify.admin = (session) => {
      const api = store.app.shopify.admin(session);
      const answerLate = (error: unknown) => install().then(() => Promise.reject(error));
      return {
        ...api,
        request: (document, variables) => api.request(document, variables).catch(answerLate),
      };
    };
    const meanwhile = { ...app, shopify: { ...app.shopify, admin } };
    expect(await receiveUninstall(meanwhile, shop, minutesAgo())).toBe('still_installed');
    expect(await stateOf(shop)).toBe('installed');
  });
});

test('looking up an unknown shop causes an error with a remedy', async () => {
  await expect(findShopByDomain(app, 'nobody.myshopify.com')).rejects.toMatchObject({
    code: 'not_found',
    message:
      "Platen does not know the shop nobody.myshopify.com. To install Platen there, open it in the store's admin.",
  });
  await expect(findShop(app, 12_345)).rejects.toMatchObject({ code: 'not_found' });
});
