import { expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../src/database/entities/products.ts';
import { OtherAppStores } from '../../src/database/entities/shops.ts';
import { enqueueResumeShop } from '../../src/shops/enqueue-shop-jobs.ts';
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

testPages({ advanceSeconds: null });

const toOrderPath = (id: string): string => `/orders/${id.split('/').at(-1)}`;

test('an order to a pickup point is printed once the merchant enters a postal address on its page', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { deliveryMethod: 'PICKUP_POINT' });
  await platen.untilState(id, 'held');
  await open();
  await page.getByText('Delivery to a pickup point').waitFor();
  await takeScreenshot('home-pickup-point');
  await page.getByRole('link', { name: 'Change the address' }).click();
  const street = page.getByLabel('Address line 1');
  await expect.poll(() => street.inputValue()).not.toBe('');
  await takeScreenshot('order-pickup-point');
  await street.fill('Rue de Rivoli 1');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.locator('s-badge', { hasText: 'Sent to print' }).waitFor();
  expect(await platen.printedFor(name)).toMatchObject([{ shippingAddress: { addressLine1: 'Rue de Rivoli 1' } }]);
  // The browser itself reports the refused request, after which the store asks for the permission.
  expect(browser.problems.splice(0)).toEqual([expect.stringContaining('403')]);
});

test('an order whose paid shipping is no longer offered is printed once the merchant chooses a method on its page', async () => {
  const shippingLine = { title: 'By drone', code: 'platen:drone:sky_7', price: '5.00' };
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingLine });
  await platen.untilState(id, 'held');
  await open();
  await page.getByRole('heading', { name: 'No shipping method' }).waitFor();
  await takeScreenshot('home-no-method');
  await page.getByRole('link', { name: 'Change the shipping method' }).click();
  const method = page.getByRole('radio', { name: /FedEx 2Day/ });
  await method.waitFor();
  // The hold has the button that opens the form, so the rest of the page does not repeat it.
  expect(await page.getByRole('button', { name: 'Change the shipping method' }).count()).toBe(1);
  await takeScreenshot('order-no-method');
  await method.check();
  await page.getByRole('button', { name: 'Use this method' }).click();
  await page.locator('s-badge', { hasText: 'Sent to print' }).waitFor();
  expect(await platen.printedFor(name)).toHaveLength(1);
  expect(browser.problems).toEqual([]);
});

test('an order of a shop for which another app prints is printed once the merchant allows it on the order’s page', async () => {
  const { db } = platen.app;
  const storeId = '00000000-0000-4000-8000-000000000001';
  await db.manager.insert(OtherAppStores, { shopId: platen.shop.id, storeId });
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'held');
  await open(toOrderPath(id));
  await page.getByText('Another app prints').waitFor();
  await takeScreenshot('order-other-app');
  await page.getByRole('button', { name: 'Allow Platen to print' }).first().click();
  const dialog = page.locator('#hold-0-allow-other-app');
  await dialog.getByText('Disconnect the other app first.').waitFor();
  await dialog.getByRole('button', { name: 'Allow Platen to print' }).click();
  await page.getByText('Orders that were held for this reason resume now.').waitFor();
  await page.locator('s-badge', { hasText: 'Sent to print' }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('an order whose product is not linked offers to link it, to print or leave its orders, and to ship it', async () => {
  const { manager } = platen.app.db;
  const links = await manager.find(PrintLinks);
  await manager.deleteAll(PrintLinks);
  await manager.deleteAll(VariantConnections);
  const link = links.find(({ sku }) => sku === 'MUG-11OZ');
  await platen.control('store', 'POST', `/variants/${encodeURIComponent(link?.shopifyVariantId ?? '')}/stock`, {
    location: 'own',
  });
  await enqueueResumeShop(manager, platen.shop.id);
  const { id, name } = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(id, 'held');
  await open(toOrderPath(id));
  await page.getByText('Product not linked').waitFor();
  await takeScreenshot('order-not-linked');
  await expectAccessible();
  await expectNoSidewaysScroll();
  // Nothing can be printed before the variant is linked, and the dialog says so.
  await page.getByRole('button', { name: 'Print the waiting orders' }).click();
  await page.getByText('The variant or SKU has no print link yet.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave the waiting orders' }).first().click();
  const dialog = page.locator('s-modal', { hasText: 'Platen will not print 1 order' });
  await dialog.getByText(name).waitFor();
  await dialog.getByRole('button', { name: 'Leave the waiting orders' }).click();
  await page.getByText('You now ship these orders yourself.').waitFor();
  await platen.untilState(id, 'nothing_to_do');
  // The browser itself reports the refused request.
  expect(browser.problems.splice(0)).toEqual([expect.stringContaining('409')]);
});
