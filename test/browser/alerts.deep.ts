import { expect, test } from 'vitest';
import { fillSettings } from '../../src/shops/settings/settings-schema.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import { startMailServer } from '../alerts/mail-server.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  takeScreenshot,
  testPages,
} from '../helpers/admin-page.ts';

testPages();

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
  await takeScreenshot('settings-alerts');
  await expectNoSidewaysScroll();
  await expectAccessible();
  expect(browser.problems).toEqual([]);
});

test('without a mail server, the page says who can set it up', async () => {
  platen.app.config.mail = null;
  await open('/settings/alerts');
  await page.getByText('This installation cannot send emails yet.').waitFor();
  await page.getByLabel('Email addresses').fill('other@demo.example');
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('This installation cannot send emails. Platen').waitFor();
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Discard' }).click();
  const german = new URL(page.url());
  german.searchParams.set('locale', 'de');
  german.searchParams.delete('id_token');
  await page.goto(german.href);
  await page.getByText('Diese Installation kann noch keine E-Mails senden.').waitFor();
  const shop = await findShop(platen.app, platen.shop.id);
  expect(fillSettings(shop.settings).alertEmails).not.toContain('other@demo.example');
});
