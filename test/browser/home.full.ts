import { expect, test } from 'vitest';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  testPages,
} from '../helpers/admin-page.ts';

testPages({ flushMs: 200 });

test('the home page shows the costs, the margin, Shopify’s metrics, the last webhook and the last event', async () => {
  for (const sku of ['POSTER-30X40', 'MUG-11OZ']) {
    const { id } = await platen.placeSkus({ [sku]: 1 });
    await platen.untilState(id, 'fulfilled');
  }
  await expect
    .poll(async () => {
      await open();
      await page.getByText('paid by buyers').waitFor();
      return page.getByText(/Last (webhook|event): none/).count();
    })
    .toBe(0);
  await page.getByText(/^2 print orders: \$[\d.]+ paid by buyers, \$[\d.]+ cost, -?\$[\d.]+ margin\.$/).waitFor();
  await page.getByRole('img', { name: 'Cost and margin on each of the last 30 days, in USD' }).waitFor();
  for (const step of ['print order', 'shipment']) {
    const label = `From payment to ${step}, on each of the last 30 days`;
    await page.getByRole('img', { name: label }).waitFor();
    await page.getByRole('button', { name: `Show as a table: ${label}` }).click();
    const rows = page.locator('s-section', { has: page.getByRole('img', { name: label }) }).locator('s-table-row');
    expect(await rows.locator('s-table-cell').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\d+ seconds?$/)]),
    );
    await page.getByRole('button', { name: `Hide the table: ${label}` }).click();
  }
  const table = page.getByRole('button', { name: 'Show as a table: Cost and margin' });
  await table.focus();
  await page.keyboard.press('Enter');
  await page.locator('s-table-header', { hasText: 'Margin' }).waitFor();
  expect(await page.locator('s-table-cell', { hasText: '$' }).count()).toBe(2);
  const meters = page.locator('s-section[heading*="metrics"]');
  await meters.getByText('Tracking in the store within 1 hour').waitFor();
  expect(await meters.locator('s-badge', { hasText: 'Met' }).count()).toBe(3);
  await meters.getByText("2 of 2. Shopify's minimum: 80%.").waitFor();
  expect(await page.getByText(/Last webhook: \w+ \d/).count()).toBe(1);
  await expectAccessible();
  await expectNoSidewaysScroll();
  expect(browser.problems).toEqual([]);
});

test('the home page links to the costs if a print order has no receipts', async () => {
  await platen.app.db.query('delete from print_receipts');
  await open();
  await page.getByText('The margins of these print orders are not known yet.').waitFor();
  await page.getByRole('link', { name: '2 print orders without a known margin' }).click();
  await page.getByRole('heading', { name: 'Costs' }).waitFor();
  expect(new URL(page.url()).searchParams.get('view')).toBe('costs');
  await expect.poll(() => page.locator('s-table-row').count()).toBe(2);
  expect(browser.problems).toEqual([]);
});
