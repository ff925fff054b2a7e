import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintWebhookTokens, ShopTokens, type Shop } from '../../../src/database/entities/shops.ts';
import { FulfillmentServicesDocument } from '../../../src/shopify/generated/operations.ts';
import { findShop, findShopByDomain } from '../../../src/shops/find-shop.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings, readSettings } from '../../../src/shops/settings/settings.ts';
import { syncFulfillmentService } from '../../../src/shops/install/keep-fulfillment-service.ts';
import { receiveUninstall } from '../../../src/shops/install/receive-uninstall.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { DEMO, openStore, sessionTokenOf, type TestStore } from '../open-store.ts';
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

  test('a repeated install changes only the tokens and the time of the sign-in', async () => {
    const first = await install();
    await changeSettings(app, first, { delayMinutes: 3 });
    const second = await install(inMinutes(10));
    expect(second).toEqual({ ...first, settings: { delayMinutes: 3 }, signedInAt: expect.any(Date) });
    expect(second.signedInAt.getTime()).toBeGreaterThan(first.signedInAt.getTime());
    expect(await servicesOf(second)).toHaveLength(1);
  });
});

describe('a fulfillment service that was deleted in the store', () => {
  const deleteService = (keepsLocation: boolean) => store.control(`/shops/${DEMO}/delete-service`, { keepsLocation });

  test.each([true, false])('the service is created and orders are planned again (location kept: %s)', async (keeps) => {
    const shop = await install();
    await app.db.query('delete from graphile_worker._private_jobs');
    await deleteService(keeps);
    await syncFulfillmentService(app, { shopId: shop.id });
    const now = await findShop(app, shop.id);
    expect(await servicesOf(shop)).toMatchObject([{ id: now.fulfillmentServiceId, location: { id: now.locationId } }]);
    expect(now.fulfillmentServiceId).not.toBe(shop.fulfillmentServiceId);
    expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([{ shopId: shop.id }]);
    expect(await readJobPayloads(app.db, 'keep_variants')).toEqual([{ shopId: shop.id }]);
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

  test('a webhook that seems older than the latest sign-in is retried while the store does not respond', async () => {
    const shop = await install();
    await uninstallInStore();
    await store.control('/faults', [{ path: `/${DEMO}/admin`, kind: 'status', status: 503 }]);
    await expect(receiveUninstall(app, shop, minutesAgo())).rejects.toMatchObject({ code: 'shopify_unavailable' });
    expect(await stateOf(shop)).toBe('installed');
    await store.control('/faults', []);
    expect(await receiveUninstall(app, shop, minutesAgo())).toBe('handled');
  });
});
