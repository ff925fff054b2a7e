import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Holds, OrderLines, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { PrivacyRequests } from '../../../src/database/entities/privacy-requests.ts';
import { StoreProducts, type StoreProduct } from '../../../src/database/entities/store-products.ts';
import { PrintAccounts, Shops, ShopTokens } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { settingsPageAssets, renderSettings } from '../../../src/http/pages/settings-page.ts';
import { html } from '../../../src/http/pages/html.ts';
import { waitForStep } from '../../../src/orders/waits/wait-for-step.ts';
import { requiredScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { endQuiet } from '../../../src/shops/print-account/end-quiet.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { ensureInstallation, restoredNow } from '../../../src/shops/install/installation.ts';
import { findOrMakePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { makePrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { addShop, openTestApp, type TestApp } from '../test-app.ts';

const MARKUP = `"><script>alert('&')</script>`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';

let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

beforeEach(async () => {
  shop = await addShop(app.db);
  await set({ takesOrdersFrom: new Date() });
  await grant(requiredScopes);
});

function grant(scopes: readonly string[]): Promise<unknown> {
  const token = { shopId: shop.id, accessTokenEncrypted: 'x', scopes: scopes.join(',') };
  return app.db.getRepository(ShopTokens).save(token);
}

function set(change: Partial<Shop>): Promise<unknown> {
  return app.db.getRepository(Shops).save({ id: shop.id, ...change });
}

async function hold(name: string, message: string, code = 'no_address'): Promise<void> {
  const shopifyOrderId = `gid://shopify/Order/${Math.ceil(Math.random() * 1e12)}`;
  const order = { shopId: shop.id, shopifyOrderId, name, placedAt: new Date() };
  const { id } = await app.db.getRepository(StorefrontOrders).save(order);
  await app.db.getRepository(Holds).insert({ shopId: shop.id, storefrontOrderId: id, code, message });
}

async function page(request: { host?: string; cursor?: string } = {}): Promise<string> {
  return renderSettings(app, await findShop(app, shop.id), { host: null, ...request });
}

/** Returns the visible text of the page, with whitespace collapsed. */
async function words(): Promise<string> {
  return (await page()).replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
}

async function addProduct(title: string, change: Partial<StoreProduct>): Promise<void> {
  const { id: printAccountId } = await findOrMakePrintAccount(app, 'sandbox-key');
  const row = { shopId: shop.id, printAccountId, storeId: 'store', storeProductId: title, title, status: 'active' };
  await app.db.getRepository(StoreProducts).save({ ...row, readingSha256: '', readAt: new Date(), ...change });
}

test('the page shows when the printing pause after a restore ends', async () => {
  expect(await words()).not.toContain('Printing is paused');
  await ensureInstallation(app);
  const quietUntil = await restoredNow(app);
  expect(await words()).toContain('Printing is paused until');
  expect(await page()).toContain(`datetime="${quietUntil.toISOString()}"`);
  await endQuiet(app);
  expect(await words()).not.toContain('Printing is paused');
});

describe('products on the page', () => {
  test('products without problems are not shown', async () => {
    await addProduct('Harbour Mug', {});
    expect(await words()).not.toContain('Products that need your attention');
  });

  test('products with problems are shown with the problem and remedy, and markup in titles is escaped', async () => {
    const error = { status: 'publishing_error', publishingErrorCode: 'no_image' };
    await addProduct(MARKUP, { ...error, shopifyProductId: 'gid://shopify/Product/77' });
    const text = await page();
    expect(text).toContain(`/products/77" target="_top">${ESCAPED}</a>`);
    expect(await words()).toMatch(
      /could not publish the product to your store: no_image\. What to do: Open the product/,
    );
  });

  test('at most ten products with problems are shown, and the page states whether there are more', async () => {
    for (let number = 0; number < 12; number += 1) await addProduct(`p${number}`, { status: 'publishing_error' });
    expect((await page()).match(/could not publish/g)).toHaveLength(10);
    expect(await words()).toContain('Only the latest products are shown.');
  });
});

describe('unlinked products on the page', () => {
  async function addUnlinked(shopifyVariantId: string): Promise<void> {
    const order = { shopId: shop.id, shopifyOrderId: `gid://shopify/Order/${shopifyVariantId}`, name: '#7' };
    const { id } = await app.db
      .getRepository(StorefrontOrders)
      .save({ ...order, placedAt: new Date(Date.now() + 60_000) });
    const ofLine = { storefrontOrderId: id, shopifyLineItemId: `gid://shopify/LineItem/${id}` };
    const line = { ...ofLine, shopifyVariantId, shopifyProductId: 'gid://shopify/Product/5', sku: MARKUP };
    const decided = { decision: 'held', reason: 'not_linked', orderedQuantity: 1 } as const;
    await app.db.getRepository(OrderLines).insert({ ...line, ...decided });
    await app.db
      .getRepository(Holds)
      .insert({ shopId: shop.id, ...ofLine, code: 'not_linked', message: 'Not printed.' });
  }

  test('unlinked products are not mentioned as long as every order is printed', async () => {
    expect(await words()).not.toContain('not linked');
  });

  test('an unlinked product is shown with the merchant’s choices, and markup in its SKU is escaped', async () => {
    await addUnlinked('gid://shopify/ProductVariant/8');
    const text = await words();
    expect(text).toContain('One order is not printed because a product is not linked to a print product.');
    expect(text).not.toContain('Everything is connected');
    expect(text).toContain('I ship it myself');
    const markup = await page();
    expect(markup).toContain(`/products/5/variants/8" target="_top">${ESCAPED}</a>`);
    expect(markup).toContain('data-body="{&quot;productId&quot;:&quot;gid://shopify/Product/5&quot;}"');
  });

  test('a product that is now linked has buttons to print or dismiss its orders', async () => {
    await addUnlinked('gid://shopify/ProductVariant/8');
    const link = {
      shopId: shop.id,
      shopifyVariantId: 'gid://shopify/ProductVariant/8',
      productUid: 'mug',
      fileUrl: null,
    };
    await app.db.getRepository(PrintLinks).insert(link);
    expect(await words()).toMatch(/One order placed since .+? waits for your decision\. Print it\? Print Leave/);
    expect(await words()).toContain('not printed yet, although the product is linked now');
  });
});

describe('the html template', () => {
  test('the html template escapes text in elements and attributes, and concatenates lists', () => {
    const { text } = html`<p title="${MARKUP}">${MARKUP}${[html`<b>${1}</b>`, '<', null, false]}</p>`;
    expect(text).toBe(`<p title="${ESCAPED}">${ESCAPED}<b>1</b>&lt;</p>`);
  });
});

describe('the HTML document of the page', () => {
  test('the document begins with the key and script of App Bridge and adds only its own script', async () => {
    const text = await page();
    const { apiKey, appBridgeUrl } = app.config.shopify;
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `^<!doctype html> <html lang="en"> <head> <meta name="shopify-api-key" content="${apiKey}" /> <script src="${appBridgeUrl}"></script>`,
      ),
    );
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual([`<script src="${appBridgeUrl}">`, '<script src="/assets/settings-page.js" defer>']);
    expect(text).not.toMatch(/ on\w+=| style=|javascript:/);
  });

  test('the document loads exactly the files that are served', async () => {
    const names = [...(await page()).matchAll(/"\/assets\/([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(settingsPageAssets.keys()));
  });

  test('the document labels every field and has only unique IDs and valid references to them', async () => {
    await hold('#1', 'Why');
    const text = await page();
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...text.matchAll(/ (?:for|aria-describedby|aria-labelledby|href="#|data-copy)="?([^"]+)"/g)];
    for (const [, references = ''] of named) for (const id of references.split(' ')) expect(ids).toContain(id);
    const fields = [...text.matchAll(/<input[^>]* id="([^"]+)"/g)].map(([, id]) => id);
    for (const id of fields) expect(text).toContain(`<label for="${id}">`);
  });

  test('no form puts its input into the URL or can be submitted before the script runs', async () => {
    const text = await page();
    const forms = [...text.matchAll(/<form[^>]*>/g)].map(([tag]) => tag);
    expect(forms).toHaveLength(10);
    for (const form of forms) expect(form).toMatch(/\smethod="post"/);
    const senders = [...text.matchAll(/<(?:button|input)[^>]*type="(?:submit|checkbox)"[^>]*>/g)].map(([tag]) => tag);
    expect(senders).toHaveLength(10);
    for (const sender of senders) expect(sender).toMatch(/\sdisabled[\s>]/);
    expect(text).toMatch(/<noscript>\s*<p[^>]*>Platen needs JavaScript/);
  });

  test('the document offers only days that the setting accepts in every time zone', async () => {
    await grant([...requiredScopes, 'read_all_orders']);
    const [, first = '', last = ''] = /min="([\d-]+)"\s+max="([\d-]+)"/.exec(await page()) ?? [];
    for (const moment of [`${first}T00:00:00+14:00`, `${last}T00:00:00-12:00`]) {
      expect((await changeSettings(app, shop, { takesOrdersFrom: moment })).takesOrdersFrom).toBe(
        new Date(moment).toISOString(),
      );
    }
    expect(Date.parse(last) - Date.now()).toBeGreaterThan(360 * 86_400_000);
  });

  test('the document escapes markup from the store and the print service', async () => {
    await set({ name: MARKUP });
    await changeSettings(app, shop, { printKey: `sandbox-key-${shop.id}` });
    const { printAccountId } = await findShop(app, shop.id);
    const refused = { state: 'refused' as const, refusedAt: new Date(), refusedMessage: `service ${MARKUP}` };
    await app.db.getRepository(PrintAccounts).update({ id: printAccountId ?? 0 }, refused);
    await hold(`#1 ${MARKUP}`, `message ${MARKUP}`);
    const text = await page({ host: MARKUP });
    expect(text).not.toContain('<script>');
    for (const place of ['service', '#1', 'message']) expect(text).toContain(`${place} ${ESCAPED}`);
    expect(text).toContain(`<p>${ESCAPED}</p>`);
  });

  test('the document contains no secrets', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key-secret-1234' });
    const address = await makePrintWebhookAddress(app, shop);
    const text = await page();
    expect(text).not.toContain('sandbox-key');
    expect(text).toContain('ends in 1234');
    expect(text).not.toContain(address.split('/').at(-1));
  });
});

describe('connections on the page', () => {
  test('the connections of a new shop show what still needs setup', async () => {
    const text = await words();
    expect(text).toContain('2 things need your attention.');
    expect(text).toMatch(/✓ Connected Platen has been installed in shop-\w+\.myshopify\.com since/);
    expect(text).toContain('! Key missing Platen does not know your print account yet.');
    expect(text).toContain('! Address missing');
  });

  test('the connections state when everything is connected', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key-5678' });
    await makePrintWebhookAddress(app, shop);
    const text = await words();
    expect(text).toContain('Everything is connected.');
    expect(text).toContain('Orders are sent to print with the key that ends in 5678.');
    expect(text).not.toContain('!');
  });

  test('the connections show a key that the service refuses, with the service’s message and the time', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key-9012' });
    const { printAccountId } = await findShop(app, shop.id);
    const refusedAt = new Date('2026-11-19T08:05:00Z');
    const refused = { state: 'refused' as const, refusedAt, refusedMessage: 'Key expired' };
    await app.db.getRepository(PrintAccounts).update({ id: printAccountId ?? 0 }, refused);
    expect(await words()).toContain(
      'The print service has refused the key that ends in 9012 since 19 Nov 2026, 08:05 UTC. It says: “Key expired”',
    );
  });

  test('the connections show payments that the service refuses, with the time and a remedy', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key-3456' });
    const { printAccountId } = await findShop(app, shop.id);
    const paymentRefusedAt = new Date('2026-11-19T08:05:00Z');
    await app.db.getRepository(PrintAccounts).update({ id: printAccountId ?? 0 }, { paymentRefusedAt });
    const text = await words();
    expect(text).toContain('! Payment refused The print service has refused your account’s payments since 19 Nov');
    expect(text).toContain('Update the payment method in the print service’s dashboard');
  });

  test('the connections list waiting orders with the reason and the next attempt, but not held orders', async () => {
    const about = { shopId: shop.id, placedAt: new Date(), outcome: 'waiting' as const, outcomeReason: 'unpaid' };
    const unpaid = { ...about, shopifyOrderId: `gid://shopify/Order/${shop.id}1`, name: '#2001' };
    const { id: storefrontOrderId } = await app.db.getRepository(StorefrontOrders).save(unpaid);
    expect(await words()).toMatch(/One order waits\. .*#2001 The order is not paid yet\. Next: /);
    const why = 'The print service does not answer.';
    await waitForStep(app, app.db.manager, { ...about, storefrontOrderId, printOrder: null }, { step: 'plan', why });
    expect(await words()).toContain('#2001 The print service does not answer. Next: ');
    await app.db.getRepository(Holds).insert({ ...about, storefrontOrderId, code: 'no_address', message: 'None' });
    expect(await words()).not.toContain('One order waits. ');
  });

  test('the connections show permissions that the store has not granted', async () => {
    await grant(requiredScopes.filter((scope) => scope !== 'write_fulfillments'));
    expect(await words()).toContain(
      '! Permissions missing The store has not granted these permissions: write_fulfillments.',
    );
  });

  test('the connections show that Shopify refuses the server, a problem that the merchant cannot fix', async () => {
    await set({ adminRefusedAt: new Date('2026-11-20T23:59:00Z') });
    const text = await words();
    expect(text).toContain(
      '! Refused by Shopify Shopify has refused this server’s address since 20 Nov 2026, 23:59 UTC.',
    );
    expect(text).toContain('There is nothing to fix in your store');
  });

  test('the connections name a setting whose permission the store has revoked', async () => {
    await set({ settings: { sendsCustomerId: true } });
    expect(await words()).toContain(
      '! Permission revoked You chose this setting, but it has no effect because the store no longer grants the permission read_customers',
    );
    await grant([...requiredScopes, 'read_customers']);
    expect(await words()).not.toContain('revoked');
  });

  test('the connections show the shop’s open privacy requests', async () => {
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
    const text = await page();
    expect([...text.matchAll(/data-export="(\d+)"/g)].map(([, id]) => id)).toEqual([open.id]);
    expect(text.match(/A customer’s data was erased/g)).toHaveLength(1);
    expect(text).toContain('#1001');
  });
});

describe('held orders on the page', () => {
  test('the page shows a message if no order is held', async () => {
    expect(await words()).toContain('Orders on hold No orders are on hold.');
  });

  test('a held order links to the admin, outside the frame, with the problem and the remedy', async () => {
    await hold('#1002', 'The order has no shipping address.');
    const [handle = ''] = shop.domain.split('.');
    expect(await page()).toMatch(
      new RegExp(`<a href="https://admin\\.shopify\\.com/store/${handle}/orders/\\d+" target="_top">#1002</a>`),
    );
    const text = await words();
    expect(text).toContain('2 things need your attention. One order is on hold.');
    expect(text).toContain('One order is waiting for you.');
    expect(text).toContain(
      'The order has no shipping address. What to do: Add a shipping address to the order in your store.',
    );
  });

  test('the next page of held orders keeps the shop and the host, and links back', async () => {
    for (let number = 1; number <= 26; number += 1) await hold(`#${number}`, 'Why');
    const first = await page({ host: 'aG9zdA' });
    expect(first).toContain('26 orders are waiting for you, newest first. The first 25 are shown.');
    expect(first).not.toContain('Back to the newest');
    const [, next = ''] = /<a href="\/settings(\?[^"]+)" data-page>Next 25<\/a>/.exec(first) ?? [];
    const parameters = new URLSearchParams(next.replaceAll('&amp;', '&').slice(1));
    expect(Object.fromEntries(parameters)).toEqual({
      embedded: '1',
      shop: shop.domain,
      host: 'aG9zdA',
      cursor: expect.stringMatching(/^\d+$/),
    });
    const second = await page({ cursor: parameters.get('cursor') ?? '' });
    expect(second).toMatch(/>#1<\/a>/);
    expect(second).not.toMatch(/>#2<\/a>|Next 25/);
    expect(second).toContain('Back to the newest');
  });
});

test.each([
  [0, 'are sent to print immediately.'],
  [1, 'are sent to print after 1 minute.'],
  [30, 'are sent to print after 30 minutes.'],
])('the page describes a delay of %i minutes', async (delayMinutes, sentence) => {
  await changeSettings(app, shop, { delayMinutes });
  expect(await words()).toContain(sentence);
});
