import { beforeEach, expect, test } from 'vitest';
import { browser, expectAccessible, expectNoSidewaysScroll, page, platen, testPages } from '../helpers/admin-page.ts';
import { openProductPage } from './open-product-page.ts';

testPages();

beforeEach(() => page.addInitScript(MEASURE_SHIFTS));

/** Adds up the layout shifts of the page, as Core Web Vitals do. */
const MEASURE_SHIFTS = `window.shifts = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

const block = () => page.locator('platen-estimate');

/** Runs `act`, and returns the status of the response to the page's request for an estimate. */
async function waitForEstimate(act: () => Promise<unknown>): Promise<number> {
  const [response] = await Promise.all([page.waitForResponse(/\/apps\/platen\/estimate/), act()]);
  await response.finished();
  return response.status();
}

async function expectNoShift(): Promise<void> {
  // A shift is reported after the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))');
  expect(await page.evaluate('window.shifts')).toBe(0);
}

test('the page of a printed product shows when it will arrive, without a layout shift', async () => {
  for (const width of [1100, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await waitForEstimate(() => openProductPage({ skus: ['POSTER-30X40', 'POSTER-13X18'] }))).toBe(200);
    await page.getByText('Made to order').waitFor();
    await page.getByText(/^Arrives between [A-Z][a-z]{2} \d+ and [A-Z][a-z]{2} \d+$/).waitFor();
    await expectNoShift();
  }
  expect(browser.problems).toEqual([]);
  await expectAccessible();
  await expectNoSidewaysScroll();
});

test('the block follows the selected variant, and is empty for the merchant’s own stock', async () => {
  await openProductPage({ skus: ['POSTER-30X40', 'VASE'] });
  await page.getByText('Made to order').waitFor();
  expect(await waitForEstimate(() => page.getByLabel('Size').selectOption('VASE'))).toBe(204);
  await page.getByText('Made to order').waitFor({ state: 'hidden' });
  expect((await block().innerText()).trim()).toBe('');
  expect(await waitForEstimate(() => page.getByLabel('Size').selectOption('POSTER-30X40'))).toBe(200);
  await page.getByText('Made to order').waitFor();
  await expectNoShift();
});

test('the block is empty while Platen does not respond or the print service fails', async () => {
  await platen.control('print', 'POST', '/faults', [{ path: '/v4/orders:quote', kind: 'status', status: 500 }]);
  expect(await waitForEstimate(() => openProductPage({ skus: ['MUG-11OZ'] }))).toBe(204);
  expect((await block().innerText()).trim()).toBe('');
  await platen.control('print', 'POST', '/faults', []);
  await page.route(/\/apps\/platen\//, (route) => route.abort());
  await openProductPage({ skus: ['POSTER-30X40'] });
  await page.waitForLoadState('networkidle');
  expect((await block().innerText()).trim()).toBe('');
  await expectNoShift();
});

test('if the store has not granted the scope for the app proxy, the block is empty, and Platen still prints the orders', async () => {
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, { revoke: ['write_app_proxy'] });
  expect(await waitForEstimate(() => openProductPage({ skus: ['POSTER-30X40'] }))).toBe(404);
  expect((await block().innerText()).trim()).toBe('');
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'fulfilled');
});

test('the theme editor shows a hint for a product without an estimate', async () => {
  await openProductPage({ skus: ['VASE'], isEditor: true });
  const hint = page.getByText('The expected delivery of a printed product appears here.');
  await expect.poll(() => hint.isVisible()).toBe(true);
});
