import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  testPages,
} from '../helpers/admin-page.ts';

const LONG_STREET = 'Karl-Johans-gate-og-Stortingsgata-ved-Eidsvolls-plass-42-B-inngang';
const OSLO = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address1: 'Karl Johans gate 1',
  city: 'Oslo',
  zip: '0154',
  countryCode: 'NO',
};
testPages({ advanceSeconds: null });
afterEach(() => changeSettings(platen.app, platen.shop, { release: 'automatic' }));

const findLine = (sku: string) =>
  page
    .locator('s-section', { has: page.getByRole('heading', { name: 'Items' }) })
    .locator('s-table-row', { hasText: sku });
const toOrderPath = (id: string): string => `/orders/${id.split('/').at(-1)}`;

test('an order on hold continues once its address is corrected on its page, and an invalid address is marked at its field', async () => {
  const { id, name } = await platen.placeSkus(
    { 'POSTER-30X40': 1 },
    { shippingAddress: { ...OSLO, address1: LONG_STREET } },
  );
  await platen.untilState(id, 'held');
  await open(toOrderPath(id));
  await page.getByRole('button', { name: 'Change the address' }).click();
  await page.getByText(`This also changes the address of ${name} in your store.`).waitFor();
  const street = page.getByLabel('Address line 1');
  await expect.poll(() => street.inputValue()).toBe(LONG_STREET);
  const section = page.locator('s-section', { has: page.getByRole('heading', { name: 'Change the address' }) });
  await section.getByText('accepts at most 35 characters in the field address line 1').waitFor();
  await expectAccessible();
  await expectNoSidewaysScroll();
  await street.fill(`${LONG_STREET}s`);
  const saveBar = page.getByRole('region', { name: 'Unsaved changes' });
  await saveBar.waitFor();
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await section.getByText('but this address has 67').waitFor();
  // The invalid address was not saved.
  await saveBar.waitFor();
  expect(await street.inputValue()).toBe(`${LONG_STREET}s`);
  await street.fill('Karl Johans gate 2');
  await street.press('Enter');
  await page.getByText(`The address of ${name} was changed in your store.`).waitFor();
  await saveBar.waitFor({ state: 'detached' });
  await page.locator('s-badge', { hasText: 'Sent to print' }).waitFor();
  const [printed] = await platen.printedFor(name);
  expect(printed?.shippingAddress).toMatchObject({ addressLine1: 'Karl Johans gate 2', firstName: 'Ada' });
  expect(await page.getByRole('button', { name: 'Change the address' }).count()).toBe(0);
  expect(browser.problems.filter((problem) => !/40[03]/.test(problem))).toEqual([]);
});

test('a merchant can compare the shipping methods of an order that waits for approval, and the order uses the chosen method', async () => {
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const { id, name } = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(id, 'held');
  await open(toOrderPath(id));
  await page.getByRole('button', { name: 'Change the shipping method' }).click();
  const details = page.locator('s-choice-list .note');
  await details
    .filter({ hasText: /\$[\d.]+ more than the current method, .+ to .+/ })
    .first()
    .waitFor();
  await details.filter({ hasText: /^current method, .+ to .+/ }).waitFor();
  await expectAccessible();
  await expectNoSidewaysScroll();
  await page.getByRole('radio', { name: /^FedEx 2Day: \$/ }).check();
  await page.getByRole('button', { name: 'Use this method' }).click();
  await page
    .getByText(/is FedEx 2Day for [\d.]+ USD, chosen by the merchant\./)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Change the shipping method' }).click();
  await page.getByRole('button', { name: 'Let your shipping rules choose' }).waitFor();
  expect(await page.getByRole('radio', { name: /^FedEx 2Day: / }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Approve' }).first().click();
  // The quote covers the products and the chosen shipping method.
  await page
    .locator('#hold-0-approve')
    .getByText(/^The print service quotes \$[\d.]+, without tax\.$/)
    .waitFor();
  await page.locator('#hold-0-approve').getByRole('button', { name: 'Approve' }).click();
  await page.locator('s-badge', { hasText: 'Sent to print' }).waitFor();
  const [printed] = (await platen.printedFor(name)) as unknown as { shipment: object }[];
  expect(printed?.shipment).toMatchObject({ shipmentMethodUid: 'fed_ex_2_day' });
  expect(await page.getByRole('button', { name: 'Change the shipping method' }).count()).toBe(0);
  expect(browser.problems).toEqual([]);
});

test('the page of an order that waits for approval shows the address to send, each change to that address and the print files', async () => {
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const address = { ...OSLO, phone: '22 00 00 00' };
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 2 }, { shippingAddress: address });
  await platen.untilState(id, 'held');
  await open(toOrderPath(id));
  const section = page.locator('s-section', { has: page.getByRole('heading', { name: 'To be printed' }) });
  const phone = section.locator('s-table-row', { hasText: 'Phone' }).locator('s-table-cell');
  await phone.first().waitFor();
  expect(await phone.allInnerTexts()).toEqual([expect.stringContaining('Changed: '), '22 00 00 00', '+47 22 00 00 00']);
  const street = section.locator('s-table-row', { hasText: 'Address line 1' }).locator('s-table-cell');
  expect(await street.allInnerTexts()).toEqual(['Address line 1', 'Karl Johans gate 1', 'Karl Johans gate 1']);
  const file = await section.getByRole('link', { name: 'Open the print file' }).getAttribute('href');
  expect(file).toMatch(/^https:.+\.pdf$/);
  await page.route(`${file}*`, (route) => route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.4' }));
  await section.getByRole('button', { name: 'Show preview: 2 × POSTER-30X40' }).click();
  await page.getByTitle('Preview of the print file of 2 × POSTER-30X40').waitFor();
  await section.getByRole('button', { name: 'Change the shipping method' }).waitFor();
  await expectAccessible();
  await expectNoSidewaysScroll();
  const line = findLine('POSTER-30X40');
  await expect.poll(() => line.innerText()).toMatch(/To be printed/);
  await page.getByRole('button', { name: 'Approve' }).first().click();
  await page.locator('#hold-0-approve').getByRole('button', { name: 'Approve' }).click();
  await expect.poll(() => line.innerText()).toMatch(/Sent to print/);
  await section.waitFor({ state: 'detached' });
  expect(browser.problems.filter((problem) => !problem.includes('ERR_'))).toEqual([]);
});

test('the PDF of a print link is loaded only when the merchant opens its preview, which can be hidden again', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'printing');
  await open(toOrderPath(id));
  const file = await page.getByRole('link', { name: 'Open the print file' }).getAttribute('href');
  expect(file).toMatch(/\.pdf$/);
  const loaded: Record<string, string>[] = [];
  await page.route(`${file}*`, async (route) => {
    loaded.push(await route.request().allHeaders());
    await route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.4' });
  });
  expect(await page.locator('iframe').count()).toBe(0);
  await page.getByRole('button', { name: 'Show preview: POSTER-30X40' }).click();
  await page.getByTitle('Preview of the print file of POSTER-30X40').waitFor();
  await expect.poll(() => loaded.length).toBe(1);
  expect(loaded[0]).not.toHaveProperty('referer');
  await expectAccessible();
  await expectNoSidewaysScroll();
  await page.getByRole('button', { name: 'Hide preview: POSTER-30X40' }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  // The tests block the files of the browser's own PDF viewer.
  expect(browser.problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
});

test('a print file whose URL comes from the order has no preview, because a buyer may have entered the URL', async () => {
  await changeSettings(platen.app, platen.shop, {
    printFileProperty: '_print_file',
    printFileHosts: ['uploads.example'],
  });
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const variantId = variants.find(({ sku }) => sku === 'POSTER-30X40')?.variantId;
  const url = 'https://uploads.example/mum.pdf';
  const { id } = await platen.placeOrder({ lines: [{ variantId, quantity: 1, properties: { _print_file: url } }] });
  await platen.untilState(id, 'printing');
  await open(toOrderPath(id));
  const link = page.getByRole('link', { name: 'Open the print file' });
  expect(await link.getAttribute('href')).toBe(url);
  expect(await page.getByRole('button', { name: /^Show preview/ }).count()).toBe(0);
  expect(browser.problems).toEqual([]);
});

test('a cancellation before printing cancels the order, and a cancellation after printing puts the order on hold', async () => {
  const early = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(early.id, 'printing');
  await open(toOrderPath(early.id));
  await page.getByRole('button', { name: 'Cancel printing' }).first().click();
  await page.getByText('Items in production may still be printed and charged.').waitFor();
  await page.locator('#order-cancel').getByRole('button', { name: 'Cancel printing' }).click();
  await page.locator('s-badge', { hasText: 'Canceled' }).first().waitFor();
  const [canceled] = await platen.printedFor(early.name);
  expect(canceled?.fulfillmentStatus).toBe('canceled');

  const late = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(late.id, 'printing');
  const [printed] = await platen.printedFor(late.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'printed' });
  await open(toOrderPath(late.id));
  await page.getByRole('button', { name: 'Cancel printing' }).first().click();
  await page.locator('#order-cancel').getByRole('button', { name: 'Cancel printing' }).click();
  await page.getByRole('heading', { name: 'Cannot be canceled' }).waitFor();
});

/** Performs the page's requests to this path, and drops the responses. */
async function dropResponses(path: string): Promise<void> {
  await page.route(path, async (route) => {
    await route.fetch();
    await route.abort();
  });
}

test('if the response to an action is lost, the page says that the outcome is unknown and shows the current state', async () => {
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'held');
  await open(toOrderPath(id));
  await dropResponses('**/cancel');
  await page.getByRole('button', { name: 'Cancel printing' }).first().click();
  await page.locator('#hold-0-cancel').getByRole('button', { name: 'Cancel printing' }).click();
  await page.getByText('it is not known whether the action took effect').waitFor();
  expect(await page.getByText('Your orders are not affected').count()).toBe(0);
  await page.getByText('Printing was canceled by hand.').first().waitFor();
  expect(await platen.printedFor(name)).toEqual([]);
});
