import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  takeScreenshot,
  testPages,
} from '../helpers/admin-page.ts';

testPages({ advanceSeconds: null });
afterEach(() => changeSettings(platen.app, platen.shop, { release: 'automatic' }));

test('an invalid filter is explained at its field, and the list stays visible', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'printing');
  await open('/orders?since=2026-01-05&until=2026-01-04');
  const link = page.getByRole('link', { name, exact: true });
  await link.waitFor();
  await page.getByText('The end date must not be before the start date.').waitFor();
  await open(`/orders?search=${'1'.repeat(101)}&state=lost`);
  await link.waitFor();
  await page.getByText('Enter at most 100 characters.').waitFor();
  await page.getByText('This is not one of the choices.').waitFor();
  expect(await page.getByText('This page could not be loaded').count()).toBe(0);
  expect(await page.getByLabel('Search orders').getAttribute('maxlength')).toBe('100');
  await expectAccessible();
  await expectNoSidewaysScroll();
  await takeScreenshot('orders-faults');
});

test('the dialog of a bulk approval lists the orders and shows their total cost', async () => {
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const orders = [
    await platen.placeSkus({ 'MUG-11OZ': 1 }),
    await platen.placeSkus({ 'MUG-11OZ': 1 }),
    await platen.placeSkus({ 'MUG-11OZ': 1 }, { shippingAddress: null }),
  ];
  for (const { id } of orders) await platen.untilState(id, 'held');
  await open('/orders?state=held');
  for (const { name } of orders) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await page.getByRole('button', { name: 'Approve' }).first().click();
  const dialog = page.locator('#bulk-approve');
  const names = orders.map(({ name }) => name).toReversed();
  await dialog.getByText(`Orders: ${names.join(', ')}.`).waitFor();
  await dialog
    .getByText(
      /^The print service quotes \$[\d.]+ in total for 2 orders, without tax\. The cost of 1 order is not known/,
    )
    .waitFor();
  await takeScreenshot('orders-bulk-approve');
});
