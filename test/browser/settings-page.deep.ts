import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { PrintAccounts, Shops } from '../../src/database/entities/shops.ts';
import { readPrintKey } from '../../src/shops/print-account/print-account.ts';
import { startLeaving } from '../../src/orders/leave/start-leaving.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import { readSettings } from '../../src/shops/settings/settings.ts';
import { openBrowser } from '../helpers/browser.ts';
import type { TestBrowser } from '../helpers/browser.ts';
import { startPlaten } from '../helpers/platen.ts';
import type { Platen } from '../helpers/platen.ts';

const DEMO = 'demo.myshopify.com';
/** The folder for screenshots of the page. If it is unset, no screenshots are taken. */
const SHOTS = process.env['PLATEN_SHOTS'];

let platen: Platen;
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
  browser = await openBrowser();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await platen.stop();
});

beforeEach(async () => {
  browser.problems.length = 0;
  page = await browser.context.newPage();
});

afterEach(async () => {
  await page.close();
  await platen.control('print', 'POST', '/faults', []);
});

/** Opens the page in the same way as a merchant: the admin redirects to the app with a session token. */
async function openFromAdmin(shop = DEMO): Promise<void> {
  await page.goto(`${platen.storeUrl}/${shop}/admin/apps/sandbox-app/settings`);
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
}

function card(name: string) {
  return page.getByRole('region', { name });
}

async function shoot(name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  for (const width of [1100, 375, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${SHOTS}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1100, height: 900 });
}

function eventually<Value>(read: () => Promise<Value> | Value) {
  return expect.poll(read, { timeout: 60_000 });
}

async function keptKey(): Promise<string | null> {
  return readPrintKey(platen.app, await findShop(platen.app, platen.shop.id));
}

async function hold(count: number): Promise<string[]> {
  const orders = [];
  for (let index = 0; index < count; index += 1)
    orders.push(await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null }));
  for (const { id } of orders) await platen.untilState(id, 'held');
  return orders.map(({ name }) => name);
}

test('the page opens in the admin without errors and shows the connections', async () => {
  await openFromAdmin();
  expect(await card('Connections').innerText()).toMatch(/Your store\s+✓ Connected/);
  expect(await card('Connections').innerText()).toContain('Everything is connected.');
  expect(await card('Orders on hold').innerText()).toContain('No orders are on hold.');
  expect(browser.problems).toEqual([]);
  await shoot('connected');
});

test('the page shows which settings a new store is missing and lets the merchant complete them', async () => {
  const second = 'second.myshopify.com';
  await platen.control('store', 'POST', '/shops', { shop: second, installed: false });
  await openFromAdmin(second);
  const connections = card('Connections');
  expect(await connections.innerText()).toMatch(
    /^Connections\s+2 things need your attention\.\s+Your store\s+✓ Connected[^!]+Your print account\s+! Key missing[^!]+Updates from the print service\s+! Address missing/,
  );
  await shoot('new-shop');
  await page.getByLabel('API key').fill('sandbox-key-second');
  await page.getByRole('button', { name: 'Test and save this key' }).click();
  await eventually(() => connections.innerText()).toContain('1 thing needs your attention.');
  await page.getByRole('button', { name: 'Create a new address' }).click();
  await eventually(() => connections.innerText()).toContain('Everything is connected.');
  expect(browser.problems).toEqual([]);
});

test.each([320, 375, 1200])('the page does not scroll horizontally at a width of %i px', async (width) => {
  await page.setViewportSize({ width, height: 800 });
  await openFromAdmin();
  const [content, shown] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
  expect(content).toBeLessThanOrEqual(shown ?? 0);
});

test('the page shows times in the reader’s time zone', async () => {
  await openFromAdmin();
  const time = card('Connections').locator('time').first();
  const moment = new Date((await time.getAttribute('datetime')) ?? '');
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Oslo' });
  expect(await time.innerText()).toBe(format.format(moment));
});

describe('the API key', () => {
  async function enter(key: string): Promise<void> {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Test and save this key' }).click();
  }

  test('a wrong API key is rejected with a message next to its field, and the saved key remains in use', async () => {
    await openFromAdmin();
    await enter('wrong-key');
    const field = page.getByLabel('API key');
    const error = page.locator('#printKey-error');
    await eventually(() => error.innerText()).toMatch(/^The print service does not accept this key\./);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.id')).toBe('printKey');
    expect(await keptKey()).toBe('sandbox-key');
    await shoot('wrong-key');
  });

  test('an API key that contains only spaces is rejected, and the saved key remains in use', async () => {
    await openFromAdmin();
    const before = await keptKey();
    await enter('   ');
    await card('Your print account’s key').getByText('an empty value changes nothing').waitFor();
    expect(await keptKey()).toBe(before);
  });

  test('the API key is removed when the merchant disconnects the account and confirms the removal', async () => {
    const before = await keptKey();
    await openFromAdmin();
    const part = card('Disconnect your print account');
    await part.getByRole('button', { name: 'Disconnect' }).click();
    await part.getByText('New orders will be held').waitFor();
    expect(await keptKey()).toBe(before);
    await expect
      .poll(async () => {
        await part
          .getByRole('button', { name: 'Yes, disconnect' })
          .click({ timeout: 1_000 })
          .catch(() => undefined);
        return keptKey();
      })
      .toBe(null);
    await card('Connections').getByText('Key missing').waitFor();
    await enter(before ?? '');
    await card('Your print account’s key').getByText('It is now saved').waitFor();
  });

  test('an API key that cannot be tested is not saved, and the page shows an explanation', async () => {
    await openFromAdmin();
    const fault = { path: '/v4/', rate: 1, kind: 'status', status: 500, effect: 'none' };
    await platen.control('print', 'POST', '/faults', [fault]);
    await enter('sandbox-key-other');
    const result = card('Your print account’s key').getByRole('status');
    await eventually(() => result.innerText()).toContain('Nothing was changed. Try again');
    expect(await keptKey()).toBe('sandbox-key');
  });

  test('a valid API key is saved, the connections are updated, and the field is cleared', async () => {
    const { printAccountId } = await findShop(platen.app, platen.shop.id);
    const refused = { state: 'refused' as const, refusedAt: new Date(), refusedMessage: 'Key expired <b>today</b>' };
    await platen.app.db.getRepository(PrintAccounts).update({ id: printAccountId ?? 0 }, refused);
    await openFromAdmin();
    expect(await card('Connections').innerText()).toContain('It says: “Key expired <b>today</b>”');
    await shoot('key-refused');
    await enter('sandbox-key');
    const form = card('Your print account’s key');
    await eventually(() => form.getByRole('status').innerText()).toBe(
      'The print service accepts the key. It is now saved.',
    );
    await eventually(() => card('Connections').innerText()).toContain(
      'Orders are sent to print with the key that ends in',
    );
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(browser.problems).toEqual([]);
  });

  test('the API key can be submitted with the keyboard alone', async () => {
    await openFromAdmin();
    await page.getByLabel('API key').focus();
    await page.keyboard.type('another wrong');
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#printKey-error').innerText()).toContain('without spaces');
  });
});

describe('a form', () => {
  test('a form cannot be submitted before the script runs, and its values stay out of the URL', async () => {
    await page.route('**/assets/settings-page.js', (route) => route.abort());
    await openFromAdmin();
    const before = page.url();
    await page.getByLabel('API key').fill('canary-key');
    await page.getByLabel('API key').press('Enter');
    await page.evaluate(`document.querySelector('#print-key button').click()`);
    // The page's policy also blocks a submission without a button, and POST keeps the values out of the URL.
    await page.evaluate(`document.querySelector('#print-key form').submit()`);
    expect(await page.evaluate(`document.querySelector('#print-key form').method`)).toBe('post');
    expect(page.url()).toBe(before);
    expect(await page.getByLabel('API key').inputValue()).toBe('canary-key');
  });

  test('a form is disabled without JavaScript, and the page states that JavaScript is required', async () => {
    const { url } = (await platen.control('store', 'POST', `/shops/${DEMO}/install`)) as { url: string };
    const context = await browser.context.browser()?.newContext({ javaScriptEnabled: false });
    if (!context) throw new Error('The browser is gone.');
    const plain = await context.newPage();
    await plain.goto(url.replace('/?', '/settings?'));
    expect(await plain.locator('noscript p').innerText()).toContain('Platen needs JavaScript');
    expect(await plain.getByRole('button', { name: 'Test and save this key' }).isDisabled()).toBe(true);
    await context.close();
  });
});

test('Platen is used again in a store that has left only after the merchant confirms', async () => {
  const shop = 'left.myshopify.com';
  await platen.control('store', 'POST', '/shops', { shop, installed: false });
  await openFromAdmin(shop);
  const { id } = await platen.app.db.getRepository(Shops).findOneByOrFail({ domain: shop });
  await startLeaving(platen.app, { id });
  await page.goto(`${platen.storeUrl}/${shop}/admin/apps/sandbox-app/settings`);
  await page.getByRole('heading', { name: 'Platen is stopped for this store' }).waitFor();
  expect((await findShop(platen.app, id)).state).toBe('leaving');
  await page.getByRole('button', { name: 'Use Platen again' }).click();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  expect((await findShop(platen.app, id)).state).toBe('installed');
});

test('a request that gets no response ends after a minute with a message', async () => {
  await page.addInitScript(`{
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms === 60_000 ? 300 : ms);
  }`);
  await openFromAdmin();
  await page.route('**/api/settings/print-webhook', () => undefined);
  const form = card('Address for updates from the print service');
  await form.getByRole('button', { name: 'Create a new address' }).click();
  await eventually(() => form.getByRole('status').innerText()).toContain('Platen took too long to respond.');
  expect(await form.getByRole('button', { name: 'Create a new address' }).getAttribute('aria-disabled')).toBeNull();
});

test('the page at the server’s own address links to the app in the admin', async () => {
  await page.goto(platen.url);
  await page.getByRole('link', { name: 'Open Platen in the demo store’s admin' }).click();
  await eventually(() => page.getByRole('heading', { name: 'Connections' }).isVisible()).toBe(true);
});

test('a new event address is shown once, can be copied and accepts events', async () => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: platen.url });
  await openFromAdmin();
  const form = card('Address for updates from the print service');
  expect(await form.getByLabel('New address, shown only now').isVisible()).toBe(false);
  await form.getByRole('button', { name: 'Create a new address' }).click();
  const field = form.getByLabel('New address, shown only now');
  await field.waitFor();
  const address = await field.inputValue();
  expect(address).toMatch(new RegExp(`^${platen.url}/webhooks/print/[\\w-]{43}$`));
  await form.getByRole('button', { name: 'Copy' }).click();
  await eventually(() => form.getByRole('status').innerText()).toBe('Copied.');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
  expect((await fetch(address, { method: 'POST', body: '{"event":"unknown"}' })).status).toBe(200);
  await shoot('address');
  // The first tab's message stays correct when another tab creates an address.
  await form.getByRole('button', { name: 'Create a new address' }).click();
  const created =
    'The new address was created. Copy it now. If you create another address, this one works for one more day.';
  await eventually(() => form.getByRole('status').innerText()).toBe(created);
  const second = await field.inputValue();
  const other = await browser.context.newPage();
  await other.goto(`${platen.storeUrl}/${DEMO}/admin/apps/sandbox-app/settings`);
  await other.getByRole('button', { name: 'Create a new address' }).click();
  await other.getByText(created).waitFor();
  expect(second).not.toBe(address);
  expect((await fetch(second, { method: 'POST', body: '{"event":"unknown"}' })).status).toBe(200);
  await other.close();
  await openFromAdmin();
  expect(await page.content()).not.toContain(address.split('/').at(-1));
});

test('the page shows a customer’s data request and offers the file for download', async () => {
  const customerId = 'gid://shopify/Customer/7700001';
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { email: 'asking@buyer.example', customerId });
  await platen.untilState(order.id, 'printing');
  await platen.control('store', 'POST', `/customers/${encodeURIComponent(customerId)}/data-request`, {});
  const connections = async () => {
    await openFromAdmin();
    return card('Connections').innerText();
  };
  await eventually(connections).toContain('A customer requests their data');
  await shoot('data-request');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^customer-data-\d+\.json$/);
  expect(JSON.stringify(JSON.parse(await readFile(await file.path(), 'utf8')))).toContain('asking@buyer.example');
  expect(await connections()).not.toContain('A customer requests their data');
});

describe('settings that need a permission', () => {
  const scopesPath = `/shops/${DEMO}/scopes`;

  async function sendsCustomerId(): Promise<boolean> {
    return readSettings(await findShop(platen.app, platen.shop.id)).sendsCustomerId;
  }

  async function takesOrdersFrom(): Promise<string> {
    return (await findShop(platen.app, platen.shop.id)).takesOrdersFrom.toISOString();
  }

  test('settings stay unchanged when the store refuses the permission they need, and the page explains why', async () => {
    await platen.control('store', 'POST', scopesPath, { answersRequests: 'refuse' });
    await openFromAdmin();
    const choice = page.getByRole('switch', { name: 'Send the customer’s number to the print service' });
    await choice.check({ force: true }).catch(() => undefined);
    const error = page.locator('#sendsCustomerId-error');
    await eventually(() => error.innerText()).toContain('The store did not grant the permission read_customers');
    expect(await choice.isChecked()).toBe(false);
    expect(await sendsCustomerId()).toBe(false);
    const day = page.getByLabel('Print orders placed from this day on');
    const before = await day.inputValue();
    await day.fill('2026-01-05');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, print these orders' }).click();
    await eventually(() => page.locator('#takesOrdersFrom-error').innerText()).toContain('read_all_orders');
    expect(await day.inputValue()).toBe(before);
    await shoot('permission-refused');
  });

  test('settings change when the store grants the permission they need', async () => {
    await platen.control('store', 'POST', scopesPath, { answersRequests: 'grant' });
    await openFromAdmin();
    const choice = page.getByRole('switch', { name: 'Send the customer’s number to the print service' });
    await choice.check();
    await eventually(sendsCustomerId).toBe(true);
    await page.getByLabel('Print orders placed from this day on').fill('2026-01-05');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, print these orders' }).click();
    // Midnight in the reader's time zone, Oslo.
    await eventually(takesOrdersFrom).toBe('2026-01-04T23:00:00.000Z');
    await eventually(() => page.locator('#takesOrdersFrom-hint').innerText()).toContain('from 5 Jan 2026, 00:00 on.');
    await openFromAdmin();
    expect(await choice.isChecked()).toBe(true);
    expect(await page.getByLabel('Print orders placed from this day on').inputValue()).toBe('2026-01-05');
    await choice.uncheck();
    await eventually(sendsCustomerId).toBe(false);
  });

  test('settings are listed as having no effect when the store revokes the permission they need', async () => {
    await openFromAdmin();
    await page.getByRole('switch', { name: /customer’s number/ }).check();
    await eventually(sendsCustomerId).toBe(true);
    await platen.control('store', 'POST', scopesPath, { revoke: ['read_customers', 'read_all_orders'] });
    // The store sends a webhook, and the app then reads its current permissions from the store.
    const connections = async () => {
      await openFromAdmin();
      return card('Connections').innerText();
    };
    const revoked = /Send the customer’s number to the print service\s+! Permission revoked/;
    await eventually(connections).toMatch(revoked);
    await shoot('permission-revoked');
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Grant the permission' }).first().press('Enter');
      await eventually(() => page.getByRole('button', { name: 'Grant the permission' }).count()).toBe(left);
      await eventually(() => page.evaluate('document.activeElement.id')).toBe('connections-title');
    }
    expect(await card('Connections').innerText()).toContain('Everything is connected.');
  });
});

describe('the first day whose orders are printed', () => {
  const shown = new Date();
  const day = (offset: number) => new Date(shown.getTime() + offset * 86_400_000).toLocaleDateString('sv');

  async function takesOrdersFrom(): Promise<number> {
    return (await findShop(platen.app, platen.shop.id)).takesOrdersFrom.getTime();
  }

  beforeEach(async () => {
    await platen.app.db.getRepository(Shops).update({ id: platen.shop.id }, { takesOrdersFrom: shown });
    await openFromAdmin();
  });

  const form = () => page.locator('form[data-setting=takesOrdersFrom]');
  const field = () => page.getByLabel('Print orders placed from this day on');
  const save = () => form().getByRole('button');

  test('an earlier first day is saved only after the merchant confirms that orders from that day will be printed', async () => {
    await field().fill(day(-10));
    await save().dblclick();
    await eventually(() => form().getByRole('status').innerText()).toMatch(
      /^Orders placed since \d+ \w+ 2026 that are paid and not yet fulfilled will be printed right away\. Press again/,
    );
    await shoot('earlier-day');
    expect(await takesOrdersFrom()).toBe(shown.getTime());
    await field().fill(day(-11));
    expect([await save().innerText(), await form().getByRole('status').innerText()]).toEqual(['Save', '']);
    await save().click();
    await page.getByRole('button', { name: 'Yes, print these orders' }).click();
    await eventually(() => form().getByRole('status').innerText()).toBe('Saved.');
    expect(await save().innerText()).toBe('Save');
    expect(await takesOrdersFrom()).toBeLessThan(shown.getTime() - 10 * 86_400_000);
  });

  test('a later first day is saved immediately', async () => {
    await field().fill(day(3));
    await save().click();
    await eventually(() => form().getByRole('status').innerText()).toBe('Saved.');
    expect(await takesOrdersFrom()).toBeGreaterThan(shown.getTime());
  });

  test('a first day too far in the past or the future is rejected', async () => {
    for (const date of ['0001-01-01', '99999-01-01', day(400)]) {
      await page.evaluate(`document.getElementById('takesOrdersFrom').value = '${date}'`);
      await save().click();
      expect(await page.evaluate(`document.getElementById('takesOrdersFrom').validity.valid`)).toBe(false);
    }
    expect(await takesOrdersFrom()).toBe(shown.getTime());
  });

  test('a first day that the page cannot parse shows an error, and the form remains usable', async () => {
    await page.evaluate(`Object.assign(document.getElementById('takesOrdersFrom'), { max: '', value: '99999-01-01' })`);
    await save().click();
    await eventually(() => form().getByRole('status').innerText()).toContain('Something went wrong.');
    expect(await save().getAttribute('aria-disabled')).toBeNull();
    expect(browser.problems.join()).toContain('Invalid time value');
  });
});

describe('held orders', () => {
  test('held orders are shown with the reason, the remedy and a link to the order', async () => {
    const [name = ''] = await hold(1);
    await openFromAdmin();
    const held = card('Orders on hold');
    expect(await held.innerText()).toContain('One order is waiting for you.');
    expect(await held.innerText()).toContain('What to do: Add a shipping address to the order in your store.');
    const link = held.getByRole('link', { name });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/admin\.shopify\.com\/store\/demo\/orders\/\d+$/);
    expect(await link.getAttribute('target')).toBe('_top');
  });

  test('held orders are paginated, both with the script and with plain links', async () => {
    await hold(29);
    await openFromAdmin();
    const held = card('Orders on hold');
    expect(await held.getByRole('listitem').count()).toBe(25);
    expect(await held.innerText()).toContain('30 orders are waiting for you');
    await shoot('held');
    await held.getByRole('link', { name: 'Next 25' }).click();
    await eventually(() => held.getByRole('listitem').count()).toBe(5);
    expect(await page.evaluate('document.activeElement.id')).toBe('held-orders-title');
    expect(page.url()).not.toContain('id_token');
    expect(browser.problems).toEqual([]);
    const names = await held.getByRole('heading', { level: 3 }).allInnerTexts();
    await page.getByRole('button', { name: 'Create a new address' }).click();
    await card('Connections').getByText('Address created').waitFor();
    await eventually(() => page.locator('#print-address [data-running]').count()).toBe(0);
    expect(await held.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(names);
    await page.reload();
    await eventually(() => held.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(names);
    const first = await held.getByRole('link', { name: 'Back to the newest' }).getAttribute('href');
    await held.getByRole('link', { name: 'Back to the newest' }).click();
    await eventually(() => held.getByRole('listitem').count()).toBe(25);
    // Without the script, the link opens the same page after the sign-in.
    const next = await held.getByRole('link', { name: 'Next 25' }).getAttribute('href');
    await page.goto(`${platen.url}${next}`);
    await eventually(() => held.getByRole('listitem').count()).toBe(5);
    expect(first).not.toContain('cursor');
  });

  test('markup in a hold or in the shop’s name is shown as plain text', async () => {
    const markup = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
    await platen.app.db.query(`update holds set message = $1 where shop_id = $2`, [markup, platen.shop.id]);
    await platen.app.db.query(`update shops set name = $1 where id = $2`, [markup, platen.shop.id]);
    await openFromAdmin();
    expect(await card('Orders on hold').innerText()).toContain(markup);
    expect(await page.getByRole('banner').innerText()).toContain(markup);
    expect(await page.locator('img, b').count()).toBe(0);
    expect(await page.title()).toBe('Platen');
  });
});

describe('embedding of the page in a frame on another site', () => {
  /** Serves a separate site that embeds the address in a frame, and returns the frame's content. */
  async function framed(address: string): Promise<string> {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return (await page.frames()[1]?.content()) ?? '';
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('the store’s own admin can show the page in a frame', async () => {
    const { url } = (await platen.control('store', 'POST', `/shops/${DEMO}/install`)) as { url: string };
    // The browser asks for permission before a page from the public network can reach this machine.
    await browser.context.grantPermissions(['local-network-access']);
    await page.route(`https://${DEMO}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>` }),
    );
    await page.goto(`https://${DEMO}/admin/apps/platen`);
    const frame = page.frameLocator('iframe');
    await eventually(() => frame.getByRole('heading', { name: 'Connections' }).isVisible()).toBe(true);
  });

  test('no other site can show the page in a frame', async () => {
    const { url } = (await platen.control('store', 'POST', `/shops/${DEMO}/install`)) as { url: string };
    expect(await framed(url)).not.toContain('Platen');
    expect(browser.problems.join()).toContain('frame-ancestors');
    // A page without this policy is shown, which proves that the test can read the content of a frame.
    expect(await framed(`${platen.url}/healthz`)).toContain('alive');
  });
});

test('the page sends no request to another machine', () => {
  expect(browser.strayRequests).toEqual([]);
});
