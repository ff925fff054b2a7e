import { expect, test } from 'vitest';
import { browser, expectAccessible, expectNoSidewaysScroll, page, platen } from '../helpers/admin-page.ts';
import { openExtension, testExtensions } from '../helpers/extension-page.ts';

testExtensions({ settings: { approvalRules: { minimumTotal: '500.00' } } });

const target = 'admin.order-details.block.render';

async function show(id: string, locale: 'en' | 'de' = 'en'): Promise<void> {
  await openExtension('order-block', { target, ids: [id], locale });
}

test('a shipped order shows its state, its packages with tracking links, its cost and margin', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'fulfilled');
  await show(id);
  await page.getByText('Fulfilled').waitFor();
  await page.getByText(/Cost: .*Margin: /).waitFor();
  const [fulfillment] = (await platen.storeOrder(id)).fulfillments;
  const code = fulfillment?.trackingCodes[0] ?? '';
  expect(await page.getByRole('link', { name: code }).getAttribute('href')).toContain('http');
  await expectAccessible();
  await expectNoSidewaysScroll();
});

test('an order on hold shows the remedy, and continues once it is approved', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 40 });
  await platen.untilState(id, 'held');
  await show(id);
  await page.getByText('On hold').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The print service charges you for it.').waitFor();
  await page.getByRole('button', { name: 'Confirm: Approve' }).click();
  await platen.untilState(id, 'fulfilled');
});

test('if Platen does not print the order, the block says so', async () => {
  await show('gid://shopify/Order/999999999');
  await page.getByText('Platen prints no items in this order.').waitFor();
  // The browser itself reports every 404.
  expect(browser.problems.splice(0)).toEqual([expect.stringContaining('404')]);
});

test('all texts are in German in a German admin', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 40 });
  await platen.untilState(id, 'held');
  await show(id, 'de');
  await page.getByText('Angehalten').waitFor();
  expect(await page.getByRole('button', { name: 'Freigeben' }).count()).toBe(1);
});
