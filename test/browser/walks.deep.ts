import { expect, test } from 'vitest';
import { registerAddress } from '../../sandbox/print/register-address.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import { browser, open, page, platen, testPages } from '../helpers/admin-page.ts';

// The walks that a merchant takes most often. The rest is tested in the *.full.ts files.

testPages();

const SHOP = 'new.myshopify.com';
/** The key of a print account that no other shop uses. */
const KEY = 'sandbox-key-new';

const saveSettings = async (): Promise<void> => {
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your changes are saved.').waitFor();
};
/** Follows a step of the guide on the home page. */
const followGuideStep = async (step: string): Promise<void> => {
  await open('', SHOP);
  await page.getByRole('link', { name: step }).click();
};

test('a new merchant sets up Platen on its pages, which then show the first order until it ships with a tracking link', async () => {
  await platen.control('store', 'POST', '/shops', { shop: SHOP, installed: false });
  await open('', SHOP);
  await page.locator('s-badge', { hasText: 'Key missing' }).waitFor();
  await page.getByText('0 of 5 steps').waitFor();

  await followGuideStep('Enter the key of your print account');
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('button', { name: 'Test and save' }).click();
  await page.getByText('The print service accepts the key. It is saved.').waitFor();

  await followGuideStep('Create the address for updates');
  await page.getByRole('button', { name: 'Create a new address' }).click();
  const field = page.getByLabel('New address, shown only once');
  await expect.poll(() => field.inputValue()).toMatch(/^http/);
  // The merchant enters the address in the print service's dashboard.
  await registerAddress(platen.printUrl, { key: KEY, url: await field.inputValue(), headers: {} });
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('The test event arrived, so the address works.').waitFor();

  await followGuideStep('Link your first product');
  await page.getByRole('link', { name: 'Add a print link' }).click();
  await page.getByRole('button', { name: 'Choose a variant' }).click();
  const picker = page.getByRole('dialog', { name: 'Select a resource' });
  await picker.getByLabel('Search the store').fill('harbour');
  await picker.getByLabel(/POSTER-30X40/).check();
  await picker.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('button', { name: 'Search the catalog' }).click();
  await page.getByLabel('Catalog').selectOption({ label: 'Posters' });
  await page.getByLabel('Paper Format').selectOption('300x400-mm-12x16-inch');
  await page
    .getByRole('button', { name: /^Choose: / })
    .first()
    .click();
  await page.getByText('1 piece:').waitFor();
  await page.getByLabel('Address of the print file').fill('https://files.example/harbour.pdf');
  await page.getByRole('button', { name: 'Save the print link' }).click();
  await page.getByRole('heading', { name: /^The print link for .+ is saved$/ }).waitFor();

  await followGuideStep('Check when orders are sent to print');
  await page.getByLabel('Wait before printing').fill('0');
  await saveSettings();
  await open('/settings/shipping', SHOP);
  await page.getByLabel('Country code').fill('DE');
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.getByText('Chosen by: cheapest method').waitFor();
  await open('/settings/buyers', SHOP);
  await page.getByLabel('Collect tracking codes before the buyer is notified').fill('0');
  await saveSettings();

  const variants = (await platen.control('store', 'GET', `/variants?shop=${SHOP}`)) as {
    sku: string;
    variantId: string;
  }[];
  const variantId = variants.find(({ sku }) => sku === 'POSTER-30X40')?.variantId;
  const { id, name } = await platen.placeOrder({ shop: SHOP, lines: [{ variantId, quantity: 1 }] });

  await open('/orders', SHOP);
  await page.getByRole('link', { name, exact: true }).click();
  await page.locator('s-badge', { hasText: 'Fulfilled' }).first().waitFor({ timeout: 60_000 });
  const tracking = await page.getByRole('link', { name: 'Track' }).getAttribute('href');
  expect(tracking).toMatch(/^https:\/\//);
  await page.getByText('Harbour Poster').first().waitFor();
  const order = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(id)}`)) as PlacedOrder;
  expect(order.fulfillments.flatMap(({ trackingUrls }) => trackingUrls)).toEqual([tracking]);

  await open('', SHOP);
  await page.getByRole('img', { name: /^From payment to shipment/ }).waitFor();
  expect(await page.getByText('of 5 steps').count()).toBe(0);
  expect(browser.problems).toEqual([]);
}, 180_000);

test('the home page links to an order on hold, and the merchant can retry the order on its page', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await open();
  await page.getByRole('heading', { name: 'Needs your attention' }).waitFor();
  await page.getByRole('link', { name: `Open ${name}` }).click();
  await page.getByText('What to do').first().waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('#hold-0-retry').getByRole('button', { name: 'Retry' }).click();
  await page.getByText(name).first().waitFor();
  expect(browser.problems).toEqual([]);
});
