import { expect, test } from 'vitest';
import { browser, openInGerman, page, platen, takeScreenshot, testPages } from '../helpers/admin-page.ts';
import { findUntranslated } from '../helpers/find-untranslated.ts';

testPages();

/** Common English words that no German text contains. Nearly every English sentence has at least one of them. */
const ENGLISH = /\b(the|is|are|and|of|to|with|your|not|it)\b/i;

/** Returns the visible paragraphs that contain English words. */
async function findEnglishParagraphs(): Promise<string[]> {
  const texts = await page.locator('s-paragraph, s-banner, s-badge').allInnerTexts();
  return texts.filter((text) => ENGLISH.test(text));
}

const toOrderPath = (id: string): string => `/orders/${id.split('/').at(-1)}`;

test('an order on hold is explained in German on its page and on the home page', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await openInGerman(toOrderPath(id));
  await page.getByText('Die Bestellung hat keine Lieferadresse.', { exact: true }).first().waitFor();
  await page.getByText('Angehalten: Die Bestellung hat keine Lieferadresse.').waitFor();
  await page.getByText('Tragen Sie unter „Adresse ändern“ oder in Ihrem Shop eine Lieferadresse ein.').waitFor();
  expect(await findEnglishParagraphs()).toEqual([]);
  await takeScreenshot('german-held');
  await page.getByRole('button', { name: 'Druck stornieren' }).first().click();
  await page.locator('#hold-0-cancel').getByRole('button', { name: 'Druck stornieren' }).click();
  await page.getByText('nichts mehr in den Druck').first().waitFor();
  expect(await findEnglishParagraphs()).toEqual([]);
  expect(browser.problems).toEqual([]);
});

test('the home page is in German before any script runs', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await openInGerman('');
  await page.getByText('Die Bestellung hat keine Lieferadresse.', { exact: true }).first().waitFor();
  const document = await page.evaluate<string>('document.getElementById("boot").textContent');
  expect(document).toContain('Die Bestellung hat keine Lieferadresse.');
  expect(await findEnglishParagraphs()).toEqual([]);
});

test('the timeline of a shipped order is in German', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'fulfilled');
  const stored: { message: string }[] = await platen.app.db.query(
    `select message from timeline_entries where storefront_order_id =
       (select id from storefront_orders where shopify_order_id = $1)`,
    [id],
  );
  expect(stored.length).toBeGreaterThan(5);
  expect(findUntranslated(stored.map(({ message }) => message))).toEqual([]);
  await openInGerman(toOrderPath(id));
  await page.getByText('ist versandt.').first().waitFor();
  expect(await findEnglishParagraphs()).toEqual([]);
  await takeScreenshot('german-shipped');
  expect(browser.problems).toEqual([]);
});
