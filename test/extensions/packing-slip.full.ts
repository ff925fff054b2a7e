import { expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { expectAccessible, expectNoSidewaysScroll, page, platen } from '../helpers/admin-page.ts';
import { openExtension, testExtensions } from '../helpers/extension-page.ts';

const LOGO = 'https://cdn.example.com/logo.svg';

testExtensions({
  settings: {
    packingSlip: { message: 'Thank you for your order!', printsNote: true },
    returnAddress: {
      companyName: 'Harbour Prints',
      addressLine1: 'Am Kai 7',
      city: 'Hamburg',
      postCode: '20457',
      country: 'DE',
    },
  },
});

const DETAILS = 'admin.order-details.print-action.render';
const SELECTION = 'admin.order-index.selection-print-action.render';

const show = (target: string, ids: readonly string[], locale: 'en' | 'de' = 'en') =>
  openExtension('packing-slip', { target, ids, locale });
const preview = () => page.frameLocator('iframe[title="Preview"]');
const printButton = () => page.getByRole('button', { name: 'Print' });

/** Gives the shop a logo that the browser does not load from the internet. The logo in the preview's frame cannot be replaced this way. */
async function addLogo(): Promise<void> {
  await changeSettings(platen.app, platen.shop, { packingSlip: { logoUrl: LOGO } });
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="60" height="60" rx="12" fill="#0b6e99"/>
    <text x="72" y="40" font-family="sans-serif" font-size="28" fill="#0b6e99">Harbour</text></svg>`;
  await page.route(LOGO, (route) => route.fulfill({ body, contentType: 'image/svg+xml' }));
}

async function placeOrder(lines: Record<string, number>, more: Record<string, unknown> = {}) {
  const order = await platen.placeSkus(lines, more);
  await platen.untilState(order.id, 'fulfilled');
  return order;
}

test('the slip of an order is shown beside the number of slips, and can be printed', async () => {
  const order = await placeOrder({ 'POSTER-30X40': 1, 'MUG-11OZ': 2 }, { note: 'Happy birthday, Ada!' });
  await show(DETAILS, [order.id]);
  await page.getByText('packing slip').first().waitFor();
  await preview().getByText(order.name).first().waitFor();
  await preview().getByText('Happy birthday, Ada!').first().waitFor();
  expect(await printButton().isEnabled()).toBe(true);
  await expectAccessible();
  await expectNoSidewaysScroll();
});

test('the slips of selected orders form one document, with a page break between slips', async () => {
  const orders = [
    await placeOrder({ 'POSTER-30X40': 1 }, { customerLocale: 'de' }),
    await placeOrder({ 'MUG-11OZ': 30 }),
  ];
  await show(SELECTION, [...orders.map(({ id }) => id), 'gid://shopify/Order/999999999'], 'de');
  await page.getByText('2 Lieferscheine sind bereit.').waitFor();
  await page.getByText('1 dieser Bestellungen hat keinen Lieferschein').waitFor();
  await preview().getByText('Lieferadresse').waitFor();
  const url = await page.locator('s-admin-print-action').getAttribute('src');
  await addLogo();
  await page.goto(url ?? '');
  await page
    .getByRole('img', { name: platen.shop.name ?? '' })
    .first()
    .waitFor();
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g), format).toHaveLength(2);
  }
  await expectAccessible();
  await expectNoSidewaysScroll();
});
