import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrivacyRequests } from '../../../src/database/entities/privacy-requests.ts';
import {
  PrintAccounts,
  ShopTokens,
  Shops,
  type PrintAccount,
  type Shop,
} from '../../../src/database/entities/shops.ts';
import { renderAdminPage } from '../../../src/http/pages/admin/render-admin-page.ts';
import { recordStepWait } from '../../../src/orders/waits/record-step-wait.ts';
import { requiredScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { endQuietTime } from '../../../src/shops/print-account/end-quiet-time.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { ensureInstallation, beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { addShop, openTestApp, type TestApp } from '../test-app.ts';

const MARKUP = `"><script>alert('&')</script>`;

let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

beforeEach(async () => {
  shop = await addShop(app.db);
  await updateShop({ takesOrdersFrom: new Date() });
  await grantScopes(requiredScopes);
});

function grantScopes(scopes: readonly string[]): Promise<unknown> {
  const token = { shopId: shop.id, accessTokenEncrypted: 'x', scopes: scopes.join(',') };
  return app.db.getRepository(ShopTokens).save(token);
}

function updateShop(change: Partial<Shop>): Promise<unknown> {
  return app.db.getRepository(Shops).save({ id: shop.id, ...change });
}

async function addHeldOrder(name: string, message: string, code = 'no_address'): Promise<void> {
  const shopifyOrderId = `gid://shopify/Order/${Math.ceil(Math.random() * 1e12)}`;
  const order = { shopId: shop.id, shopifyOrderId, name, placedAt: new Date() };
  const { id } = await app.db.getRepository(StorefrontOrders).save(order);
  await app.db.getRepository(Holds).insert({ shopId: shop.id, storefrontOrderId: id, code, message });
}

/** Returns the first document of the home page, as the server renders it. */
async function renderDocument(): Promise<string> {
  return renderAdminPage(app, await findShop(app, shop.id), { path: '/', search: '', locale: 'en-GB' });
}

/** Returns the visible text of the page, with whitespace collapsed. */
async function readText(): Promise<string> {
  const [content = ''] = (await renderDocument()).split('<script type="application/json"');
  return content
    .replaceAll(/<[^>]*?\sheading="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('the page shows when the printing pause after a restore ends', async () => {
  expect(await readText()).not.toContain('Printing is paused');
  await ensureInstallation(app);
  const quietUntil = await beginQuietTimeAfterRestore(app);
  expect(await readText()).toContain('no orders are sent to print until');
  expect(await renderDocument()).toContain(`"quietUntil":"${quietUntil.toISOString()}"`);
  await endQuietTime(app);
  expect(await readText()).not.toContain('Printing is paused');
});

test('after the pause, the page shows how many orders are still compared with the store and the print service', async () => {
  await changeSettings(app, shop, { printKey: 'key-of-a-restored-shop' });
  await addHeldOrder('#1', 'Held.');
  await ensureInstallation(app);
  await beginQuietTimeAfterRestore(app);
  await endQuietTime(app);
  expect(await readText()).toContain('Orders are being checked');
  expect(await readText()).toContain('Checked: 0, of which 0 are on hold. Left: 1.');
  await app.db.query('update storefront_orders set reconciled_at = now()');
  expect(await readText()).not.toContain('Orders are being checked');
});

describe('the first document of the home page', () => {
  test('the document begins with the key and script of App Bridge and contains no other inline code', async () => {
    const text = await renderDocument();
    const { apiKey, appBridgeUrl, polarisUrl } = app.config.shopify;
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `^<!doctype html> <html lang="en-GB"> <head> <meta name="shopify-api-key" content="${apiKey}" /> <script src="${appBridgeUrl}"></script> <script src="${polarisUrl}"></script>`,
      ),
    );
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.filter((tag) => !tag.includes('src='))).toEqual(['<script type="application/json" id="boot">']);
    expect(text).not.toMatch(/ on\w+=| style=|javascript:/);
    expect(text).toMatch(/<noscript>\s*<p>You need JavaScript/);
  });

  test('the document escapes markup from the store and the print service', async () => {
    await updateShop({ name: MARKUP });
    await changeSettings(app, shop, { printKey: `sandbox-key-${shop.id}` });
    const { printAccountId } = await findShop(app, shop.id);
    const refused = { state: 'refused' as const, refusedAt: new Date(), refusedMessage: `service ${MARKUP}` };
    await app.db.getRepository(PrintAccounts).update({ id: printAccountId ?? 0 }, refused);
    await addHeldOrder(`#1 ${MARKUP}`, `message ${MARKUP}`);
    const text = await renderDocument();
    expect(text).not.toContain('<script>');
    expect(await readText()).toContain('service &quot;>&lt;script>');
    expect(await readText()).toContain('message &quot;>&lt;script>');
  });

  test('the document contains no secrets', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key-secret-1234' });
    const address = await createPrintWebhookAddress(app, shop);
    const text = await renderDocument();
    expect(text).not.toContain('sandbox-key');
    expect(text).toContain('ends in 1234');
    expect(text).not.toContain(address.split('/').at(-1));
  });
});

describe('connections on the page', () => {
  test('the connections of a new shop show the missing key and address, and those of a set-up shop their values', async () => {
    const text = await readText();
    expect(text).toMatch(/Your store Connected shop-\w+\.myshopify\.com/);
    expect(text).toContain('Your print account Key missing Paid orders wait until you enter the key');
    expect(text).toContain('Updates from the print service Address missing');
    await changeSettings(app, shop, { printKey: 'sandbox-key-5678' });
    await createPrintWebhookAddress(app, shop);
    const connected = await readText();
    expect(connected).toContain('Your print account Connected The saved key ends in 5678.');
    expect(connected).toContain('Updates from the print service Address created');
    expect(connected).not.toContain('missing');
    expect(connected).toContain('Nothing needs your attention');
  });

  test.each<[string, Partial<PrintAccount>, string]>([
    [
      'a key that the service refuses, with the service’s message',
      { state: 'refused', refusedAt: new Date(), refusedMessage: 'Key expired' },
      'Key refused The print service refuses the saved key. Its message: “Key expired” Orders wait until you enter a valid key.',
    ],
    [
      'payments that the service refuses, with a remedy',
      { paymentRefusedAt: new Date() },
      "Update the payment method in the print service's dashboard",
    ],
  ])('the connections show %s', async (_, refused, text) => {
    await changeSettings(app, shop, { printKey: `sandbox-key-${shop.id}` });
    const { printAccountId } = await findShop(app, shop.id);
    await app.db.getRepository(PrintAccounts).update({ id: printAccountId ?? 0 }, refused);
    expect(await readText()).toContain(text);
  });

  test('the page shows why orders are waiting and when their next attempt is, and omits held orders', async () => {
    const about = { shopId: shop.id, placedAt: new Date(), outcome: 'waiting' as const, outcomeReason: 'unpaid' };
    const unpaid = { ...about, shopifyOrderId: `gid://shopify/Order/${shop.id}1`, name: '#2001' };
    const { id: storefrontOrderId } = await app.db.getRepository(StorefrontOrders).save(unpaid);
    expect(await readText()).toMatch(/Waiting orders .*#2001 The order is not paid yet\. Next attempt: /);
    const why = 'The print service does not answer.';
    await recordStepWait(app, app.db.manager, { ...about, storefrontOrderId, printOrder: null }, { step: 'plan', why });
    expect(await readText()).toContain('#2001 The print service does not answer. Next attempt: ');
    await app.db.getRepository(Holds).insert({ ...about, storefrontOrderId, code: 'no_address', message: 'None' });
    expect(await readText()).not.toContain('Waiting orders');
  });

  test('the connections show that Shopify refuses the server’s address, and that the operator must fix this', async () => {
    await updateShop({ adminRefusedAt: new Date('2026-11-20T23:59:00Z') });
    const text = await readText();
    expect(text).toMatch(
      /Rejected by Shopify Shopify has rejected requests from this server's address since 20 Nov 2026, 23:59\./,
    );
    expect(text).toContain("Platen's operator must add the server's outgoing IP address");
  });

  test('the connections show only this shop’s privacy requests that still need an action', async () => {
    const other = await addShop(app.db);
    const times = { receivedAt: new Date('2026-11-01T00:00:00Z'), dueAt: new Date('2099-12-01T00:00:00Z') };
    const heldByPrintService = [{ orderId: 'gid://shopify/Order/1', name: '#1001', references: [] }];
    const requests = app.db.getRepository(PrivacyRequests);
    const add = (shopId: number, requestKey: string, more: object) =>
      requests.save({ shopId, requestKey, kind: 'data_request', shopifyOrderIds: [], ...times, ...more });
    const open = await add(shop.id, 'open', {});
    await add(shop.id, 'done', { doneAt: new Date() });
    await add(other.id, 'foreign', {});
    await add(shop.id, 'erased', { kind: 'customer_redact', doneAt: new Date(), heldByPrintService });
    await add(shop.id, 'erased all', { kind: 'customer_redact', doneAt: new Date() });
    const text = await readText();
    expect(text.match(/A customer requests their data/g)).toHaveLength(1);
    expect(await renderDocument()).toContain(`"dataRequests":[{"id":"${open.id}"`);
    expect(text.match(/A customer's data was erased/g)).toHaveLength(1);
    expect(text).toContain('#1001');
  });
});

test('an order on hold is shown with the problem, the remedy and a link to its page', async () => {
  await addHeldOrder('#1002', 'The order has no shipping address.');
  const text = await readText();
  expect(text).toContain(
    'The order has no shipping address. What to do: Add a shipping address with &quot;Change the address&quot; or in your store.',
  );
  expect(await renderDocument()).toMatch(/<s-button href="\/orders\/\d+">Open #1002<\/s-button>/);
});
