import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Shops } from '../../src/database/entities/shops.ts';
import { fillSettings } from '../../src/shops/settings/settings-schema.ts';
import { startMailServer } from '../alerts/mail-server.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import { readPrintKey } from '../../src/shops/print-account/print-account.ts';
import { readSettings } from '../../src/shops/settings/settings.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  testPages,
} from '../helpers/admin-page.ts';

testPages();

const saveBar = () => page.getByRole('region', { name: 'Unsaved changes' });
const save = () => saveBar().getByRole('button', { name: 'Save' }).click();

test('going back with unsaved changes requires a confirmation, and the URL changes only when the merchant leaves the page', async () => {
  await open('/settings');
  await page.getByRole('link', { name: 'Change: Addresses' }).click();
  await page.getByLabel('City').fill('Oslo');
  await page.evaluate('history.back()');
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(new URL(page.url()).pathname).toBe('/settings/address');
  expect(await page.getByLabel('City').inputValue()).toBe('Oslo');
  await page.evaluate('history.back()');
  await page.getByRole('button', { name: 'Leave page' }).click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings');
  await page.goForward();
  await page.getByRole('heading', { name: 'Addresses', exact: true }).waitFor();
  expect(await page.title()).toBe('Addresses · Platen');
  expect(await page.evaluate('document.activeElement.id')).toBe('app');
});

test('the preview applies a shipping rule that is not saved yet, and the rule can then be saved', async () => {
  await open('/settings/shipping');
  await page.getByRole('button', { name: 'Add an entry' }).click();
  await page.getByLabel('Name').fill('Fast to Norway');
  await page.getByLabel('To these countries').fill('NO');
  await page.getByLabel('Methods of these types').fill('express');
  await page.getByLabel('Product', { exact: true }).selectOption('POSTER-30X40');
  await page.getByLabel('Country code').fill('NO');
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.getByText("Chosen by: rule 'Fast to Norway'").waitFor();
  await page.getByLabel('Country code').fill('DE');
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.getByText('Chosen by: cheapest method').waitFor();
  await save();
  await page.getByText('Your changes are saved.').waitFor();
  expect(browser.problems).toEqual([]);
});

describe('the key of the print account', () => {
  const readSavedKey = async () => readPrintKey(platen.app, await findShop(platen.app, platen.shop.id));
  const field = () => page.getByLabel('API key');
  const submitKey = async (key: string): Promise<void> => {
    await field().fill(key);
    await page.getByRole('button', { name: 'Test and save' }).click();
  };
  beforeEach(() => open('/settings/connection'));
  afterEach(() => platen.control('print', 'POST', '/faults', []));

  test('an invalid key is rejected at its field, and the saved key remains in use', async () => {
    await submitKey('wrong-key');
    await page.getByText(/^The print service does not accept this key\./).waitFor();
    expect(await field().getAttribute('aria-invalid')).toBe('true');
    expect(await readSavedKey()).toBe('sandbox-key');
  });

  test('a key can be submitted with the keyboard alone, and is never shown again', async () => {
    await field().focus();
    await page.keyboard.type('sandbox-key');
    await page.keyboard.press('Enter');
    await page.getByText('The print service accepts the key. It is saved.').waitFor();
    expect(await field().inputValue()).toBe('');
    await page.reload();
    await page.getByText('A key that ends in').waitFor();
    expect(await page.content()).not.toContain('sandbox-key');
    expect(browser.problems).toEqual([]);
  });

  test('the account is disconnected only after a confirmation', async () => {
    await page.getByRole('button', { name: 'Disconnect' }).first().click();
    const dialog = page.locator('#disconnect');
    await dialog.getByText('New orders wait until you enter a key again').waitFor();
    expect(await readSavedKey()).toBe('sandbox-key');
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('The print account is disconnected.').waitFor();
    expect(await readSavedKey()).toBeNull();
    await submitKey('sandbox-key');
    await page.getByText('The print service accepts the key. It is saved.').waitFor();
  });
});

describe('settings that need a permission', () => {
  const scopesPath = '/shops/demo.myshopify.com/scopes';
  const readSendsCustomerId = async () => readSettings(await findShop(platen.app, platen.shop.id)).sendsCustomerId;
  const choice = () => page.getByLabel('Send the customer’s ID to the print service');

  test('a setting stays unchanged if the store refuses its permission, and the field shows the reason', async () => {
    await platen.control('store', 'POST', scopesPath, { answersRequests: 'refuse' });
    await open('/settings/privacy');
    await choice().check();
    await save();
    await page.getByText('The store did not grant the permission “View customers”').waitFor();
    expect(await readSendsCustomerId()).toBe(false);
  });

  test('a setting is saved if the store grants its permission, and is listed when the permission is revoked', async () => {
    await platen.control('store', 'POST', scopesPath, { answersRequests: 'grant' });
    await open('/settings/privacy');
    await choice().check();
    await save();
    await page.getByText('Your changes are saved.').waitFor();
    expect(await readSendsCustomerId()).toBe(true);
    await platen.control('store', 'POST', scopesPath, { revoke: ['read_customers'] });
    await open();
    await page.getByText('Permission revoked').waitFor();
    await page.getByRole('button', { name: 'Grant the permission' }).click();
    await page.getByText('Permission revoked').waitFor({ state: 'detached' });
  });
});

describe('the first day whose orders are printed', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const readFirstDay = async () => (await findShop(platen.app, platen.shop.id)).takesOrdersFrom.getTime();
  const field = () => page.getByLabel('Print orders placed from this day on');

  test('an earlier day is saved only after the merchant confirms that the orders since then will be printed', async () => {
    await open('/settings/release');
    const before = await readFirstDay();
    await field().fill(day(-10));
    await save();
    await page.locator('#confirm-earlier').getByText('Platen then also prints').waitFor();
    expect(await readFirstDay()).toBe(before);
    await page.locator('#confirm-earlier').getByRole('button', { name: 'Close' }).last().click();
    await save();
    await page.getByRole('button', { name: 'Save and print them' }).click();
    await page.getByText('Your changes are saved.').waitFor();
    await saveBar().waitFor({ state: 'detached' });
    expect(await readFirstDay()).toBeLessThan(before - 9 * 86_400_000);
  });
});

test('stopping Platen shows the changes to be undone and requires a confirmation, and the merchant can use Platen again later', async () => {
  const domain = 'leaving.myshopify.com';
  await platen.control('store', 'POST', '/shops', { shop: domain, installed: false });
  await open('/settings/leaving', domain);
  await page.getByText('Platen has made no changes in your store').waitFor();
  await page.getByRole('button', { name: 'Stop Platen' }).first().click();
  const readState = async () => (await platen.app.db.manager.findOneByOrFail(Shops, { domain })).state;
  expect(await readState()).toBe('installed');
  await page.locator('#leave').getByRole('button', { name: 'Stop Platen' }).click();
  await page.getByText('Platen is stopped for this store').first().waitFor();
  expect(await readState()).toBe('leaving');
  await open('', domain);
  await page.getByRole('heading', { name: 'Platen is stopped for this store' }).waitFor();
  await expectAccessible();
  await expectNoSidewaysScroll();
  await page.getByRole('button', { name: 'Use Platen again' }).click();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  expect(await readState()).toBe('installed');
});

test('a merchant saves a recipient, sees a failed test message, corrects the cause and gets the message', async () => {
  const mail = await startMailServer({ refused: ['owner@demo.exmple'] });
  platen.app.config.mail = { url: mail.url, from: 'Platen <alerts@platen.example>' };
  await open('/settings/alerts');
  const sendTest = page.getByRole('button', { name: 'Send a test message' });
  const addresses = page.getByLabel('Email addresses');
  const save = async (): Promise<void> => {
    await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your changes are saved.').waitFor();
  };
  await sendTest.waitFor();
  expect(await sendTest.isDisabled()).toBe(true);
  await addresses.fill('owner@demo.exmple');
  await save();
  await sendTest.click();
  await page.getByText('Email: The mail server refuses at least one of the email addresses.').waitFor();
  await addresses.fill('owner@demo.example');
  await save();
  await sendTest.click();
  await page.getByText('The test message was sent: Email.').waitFor();
  expect(mail.mails.map(({ to }) => to)).toEqual([['owner@demo.example']]);
  await page.getByLabel('Address of the incoming webhook').fill('https://hooks.slack.com/services/T0/B0/secret');
  await page.getByRole('button', { name: 'Save the chat' }).click();
  await page.getByText('A chat whose address ends in cret is saved.').waitFor();
  const shop = await findShop(platen.app, platen.shop.id);
  expect(fillSettings(shop.settings).alertEmails).toEqual(['owner@demo.example']);
  await expectNoSidewaysScroll();
  await expectAccessible();
  expect(browser.problems).toEqual([]);
});
