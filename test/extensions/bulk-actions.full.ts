import { expect, test } from 'vitest';
import { browser, expectAccessible, expectNoSidewaysScroll, page, platen } from '../helpers/admin-page.ts';
import { openExtension, testExtensions } from '../helpers/extension-page.ts';

testExtensions({ settings: { release: 'by_hand' } });

const target = 'admin.order-index.selection-action.render';

async function show(ids: readonly string[], locale: 'en' | 'de' = 'en'): Promise<void> {
  await openExtension('bulk-actions', { target, ids, locale });
}

test('selected orders are approved, and each result is shown', async () => {
  const orders = [await platen.placeSkus({ 'POSTER-30X40': 1 }), await platen.placeSkus({ 'POSTER-30X40': 2 })];
  for (const { id } of orders) await platen.untilState(id, 'held');
  await show([...orders.map(({ id }) => id), 'gid://shopify/Order/999999999']);
  await page.getByText('3 orders are selected.').waitFor();
  await expectAccessible();
  await expectNoSidewaysScroll();
  await page.getByRole('button', { name: 'Approve' }).click();
  for (const { name } of orders) await page.getByText(name, { exact: true }).waitFor();
  await page.getByText('Order 999999999').waitFor();
  await page.getByText('Platen prints no items in this order.').waitFor();
  // The browser itself reports the 404 of the unknown order.
  expect(browser.problems.splice(0)).toEqual([expect.stringContaining('404')]);
  for (const { id } of orders) await platen.untilState(id, 'fulfilled');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Closed').waitFor();
});

test('an approved order that stays on hold without an address is shown as a warning with its reason', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(order.id, 'held');
  await show([order.id]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText(/^Approved, but still on hold: .*address/).waitFor();
  expect(await page.locator('s-banner').getAttribute('tone')).toBe('warning');
});

test('a selection larger than a page of the admin’s list is refused before any request is sent', async () => {
  await show(Array.from({ length: 51 }, (_, index) => `gid://shopify/Order/${index + 1}`));
  await page.getByText('Select at most 50 orders.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
});
