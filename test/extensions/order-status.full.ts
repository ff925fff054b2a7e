import { expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, page, platen } from '../helpers/admin-page.ts';
import { openBuyerExtension, testExtensions } from '../helpers/extension-page.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';

testExtensions({ advanceSeconds: null });

const target = 'customer-account.order-status.block.render';

/** Turns the order metafields on or off. The store grants the scope that they need. */
async function setWritesMetafields(writesOrderMetafields: boolean): Promise<void> {
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, { grant: ['write_orders'] });
  await changeSettings(platen.app, platen.shop, { writesOrderMetafields });
}

async function placePrintingOrder(): Promise<string> {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'printing');
  await untilIdle(platen.app);
  return id;
}

test('the page of a printed order shows the state and the expected delivery that Platen wrote to the store', async () => {
  await setWritesMetafields(true);
  const id = await placePrintingOrder();
  await openBuyerExtension('order-status', { target, id });
  await page.getByText('In production').waitFor();
  await page.getByText(/^Expected delivery: \w+ \d+, \d{4} to \w+ \d+, \d{4}\.$/).waitFor();
  await expectAccessible();
  await expectNoSidewaysScroll();
});

test('the texts and dates are in German for a German-speaking buyer, and in English for a language without translations', async () => {
  await setWritesMetafields(true);
  const id = await placePrintingOrder();
  await openBuyerExtension('order-status', { target, id, locale: 'de' });
  await page.getByText('In Produktion').waitFor();
  await page.getByText(/^Voraussichtliche Lieferung: \d+\. \S+ \d{4} bis \d+\. \S+ \d{4}\.$/).waitFor();
  await openBuyerExtension('order-status', { target, id, locale: 'fr' });
  await expect.poll(() => page.getByText(/^Expected delivery: \w+ \d+, \d{4} to/).isVisible()).toBe(true);
});

test('an order on hold shows its state but not the reason', async () => {
  await setWritesMetafields(true);
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await untilIdle(platen.app);
  const written = (await platen.control('store', 'GET', `/metafields?ownerId=${id}`)) as { key: string }[];
  expect(written.map(({ key }) => key)).toContain('hold');
  await openBuyerExtension('order-status', { target, id });
  await page.getByText('Being prepared').waitFor();
  expect(await page.content()).not.toContain('address');
});

test('a page shows nothing if the merchant has turned the metafields off', async () => {
  await setWritesMetafields(false);
  await openBuyerExtension('order-status', { target, id: await placePrintingOrder() });
  expect(await page.locator('body').innerText()).toBe('');
});
