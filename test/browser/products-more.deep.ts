import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks, ProductStocks } from '../../src/database/entities/products.ts';
import { SEEDED_STORE_ID } from '../../sandbox/print/store-products/seed-stores.ts';
import { openOtherShop } from '../helpers/open-other-shop.ts';
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

const FILE = 'https://files.example/poster.png';
const PREVIEWS = 'previews.example';
const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="#7aa6c2"/></svg>';
const folder = mkdtempSync(join(tmpdir(), 'platen-products-'));

testPages();
/** The hosts from which pages have loaded images. */
let imageHosts: string[];

beforeAll(async () => {
  const isImageHost = ({ hostname }: URL): boolean => [PREVIEWS, 'files.example'].includes(hostname);
  await browser.context.route(isImageHost, async (route) => {
    imageHosts.push(new URL(route.request().url()).hostname);
    await route.fulfill({ contentType: 'image/svg+xml', body: IMAGE });
  });
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  imageHosts = [];
});
afterEach(async () => {
  for (const of of ['print', 'store'] as const) await platen.control(of, 'POST', '/faults', []);
});

async function chooseCsvFile(name: string, lines: string[]): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, lines.join('\n'));
  await page.locator('s-drop-zone input').setInputFiles(path);
}

async function expectAccessibleWithoutSidewaysScroll(): Promise<void> {
  await expectAccessible();
  await expectNoSidewaysScroll();
}

/** Returns the reported problems, except for the 400 and 404 responses that the tests cause. */
const unexpectedProblems = (): string[] => browser.problems.filter((one) => !/status of 40[04]/.test(one));

interface Product {
  productId: string;
  variants: { variantId: string; sku: string }[];
}

const toNumericId = (gid: string): string => gid.split('/').at(-1) ?? '';

/** Creates a product without print links in the demo store. */
async function addProduct(title: string, sku: string, variant = 'Default Title'): Promise<Product> {
  const variants = [{ title: variant, sku, price: '20.00' }];
  return (await platen.control('store', 'POST', '/products', { title, variants })) as Product;
}

const POSTER = 'flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver';

async function addTemplate(title: string, variantOptions: { name: string; value: string }[] = []): Promise<string> {
  const variant = {
    title: 'Poster',
    productUid: POSTER,
    variantOptions,
    imagePlaceholders: [{ name: 'ImageFront' }],
  };
  const body = { title, description: 'Printed on thick paper.', variants: [variant] };
  return ((await platen.control('print', 'POST', '/templates', body)) as { id: string }).id;
}

const readLinks = () => platen.app.db.manager.findBy(PrintLinks, { shopId: platen.shop.id });

test('a file with an error cannot be imported until the error is corrected', async () => {
  await open('/products/import');
  await page.getByRole('heading', { name: 'Import print links' }).waitFor();
  await takeScreenshot('import-empty');
  await expectAccessibleWithoutSidewaysScroll();
  const before = await readLinks();
  const head = 'sku,product_uid,file_url';
  await chooseCsvFile('wrong.csv', [head, `FIRST,${POSTER},${FILE}`, `SECOND,${POSTER},ftp://files.example/a.png`]);
  await page.getByText('file_url: must begin with https://').waitFor();
  const row = page.locator('s-table-row', { hasText: 'SECOND' });
  expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toContain('Error file_url');
  await page.locator('s-table-row', { hasText: 'SKU FIRST' }).getByText('New').waitFor();
  expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  await takeScreenshot('import-error');
  await expectAccessibleWithoutSidewaysScroll();
  await chooseCsvFile('wrong.csv', [head, `FIRST,${POSTER},${FILE}`, `SECOND,${POSTER},${FILE}`]);
  await page.getByRole('button', { name: 'Import 2 print links' }).waitFor();
  expect(await readLinks()).toHaveLength(before.length);
  await page.getByRole('button', { name: 'Import 2 print links' }).click();
  await page.getByText('The file was imported: 2 new, 0 changed, 0 unchanged.').waitFor();
  expect(await readLinks()).toHaveLength(before.length + 2);
  await chooseCsvFile('again.csv', [head, `FIRST,${POSTER},${FILE}`]);
  await page.getByText('All rows are already saved.').waitFor();
  expect(browser.problems).toEqual([]);
});

test('a file in another encoding is refused with instructions, and a long file is shown page by page', async () => {
  await open('/products/import');
  const path = join(folder, 'latin.csv');
  await writeFile(path, Buffer.from('sku,product_uid\nGr\xf6\xdfe,mug', 'latin1'));
  await page.locator('s-drop-zone input').setInputFiles(path);
  await page.getByText('save it as "CSV UTF-8"').waitFor();
  const rows = Array.from({ length: 10_000 }, (_, index) => `LONG-${index},${index === 9_000 ? 'not a uid' : POSTER}`);
  await chooseCsvFile('long.csv', ['sku,product_uid', ...rows]);
  await page.getByText('1 to 50 of 10,000').waitFor();
  expect(await page.locator('s-table-row').first().innerText()).toContain('LONG-9000');
  expect(await page.locator('s-table-row').count()).toBe(50);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('51 to 100 of 10,000').waitFor();
  await page.getByLabel('Show').selectOption('error');
  expect(await page.locator('s-table-row').count()).toBe(1);
  expect(browser.problems).toEqual([]);
});

test('all print links can be exported as a CSV file', async () => {
  await open('/products/import');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('print-links.csv');
  expect(await readFile(await (await download).path(), 'utf8')).toContain('variant_id,sku,product_uid');
  expect(browser.problems).toEqual([]);
});

test('after an import, orders that were waiting for an imported link are listed, and are printed once the merchant confirms', async () => {
  const product = await addProduct('Waiting poster', 'WAITING');
  const variantId = product.variants[0]?.variantId ?? '';
  const { id, name } = await platen.placeOrder({ lines: [{ variantId, quantity: 2 }] });
  await platen.untilState(id, 'nothing_to_do');
  await open('/products/import');
  await chooseCsvFile('waiting.csv', ['sku,product_uid,file_url', `WAITING,${POSTER},${FILE}`]);
  await page.getByRole('button', { name: 'Import 1 print link' }).click();
  await page.getByRole('heading', { name: 'One order is waiting to be printed' }).waitFor();
  await page.getByText('2 × WAITING').waitFor();
  expect(await platen.printedFor(name)).toEqual([]);
  await takeScreenshot('import-waiting');
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('button', { name: 'Print these orders' }).first().click();
  await page.locator('#print-waiting').getByRole('button', { name: 'Print these orders' }).click();
  await page.getByText('The orders are being sent to print.').waitFor();
  await expect.poll(() => platen.printedFor(name), { timeout: 30_000 }).toHaveLength(1);
  expect(browser.problems).toEqual([]);
});

test('a template is found in the list, and its variants are linked after a dry run', async () => {
  const templateId = await addTemplate('Gallery print');
  const product = await addProduct('Gallery print', 'GALLERY');
  await expect
    .poll(
      async () => {
        await open('/products/templates');
        await page.getByRole('heading', { name: 'Requested products' }).waitFor();
        return page.getByRole('link', { name: 'Gallery print' }).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  await page.getByRole('link', { name: 'Gallery print' }).waitFor();
  await expect.poll(() => imageHosts).toContain(PREVIEWS);
  await takeScreenshot('templates');
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('link', { name: 'Gallery print' }).click();
  await page.getByRole('heading', { name: 'Link store variants' }).waitFor();
  expect(page.url()).toContain(`/products/templates/${templateId}`);
  await page.getByText('Printed on thick paper.').first().waitFor();
  await takeScreenshot('template');
  await expectAccessibleWithoutSidewaysScroll();
  const tryLink = page.getByRole('button', { name: 'Show what would be linked' });
  await page.getByRole('textbox', { name: 'Products' }).fill('the poster');
  await tryLink.click();
  await page.getByText('“the poster” is not the address or ID of a product.').waitFor();
  await page
    .getByRole('textbox', { name: 'Products' })
    .fill(`https://admin.shopify.com/store/demo/products/${toNumericId(product.productId)}`);
  await page.getByLabel('Print file for all variants').fill('http://files.example/a.png');
  await tryLink.click();
  await page.getByText('must begin with https://').waitFor();
  await page.getByLabel('Print file for all variants').fill('');
  await tryLink.click();
  await page.getByText('The variant has no print file.').waitFor();
  await page.getByLabel('Print file for Gallery print').fill(FILE);
  await page.getByText('The form has changed.').waitFor();
  await tryLink.click();
  await page.getByText('Would be linked').waitFor();
  expect(
    (await readLinks()).filter(({ shopifyVariantId }) => shopifyVariantId === product.variants[0]?.variantId),
  ).toEqual([]);
  await takeScreenshot('template-dry-run');
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('button', { name: 'Link 1 variant' }).click();
  await page.getByText('Linked: 1 new, 0 changed, 0 unchanged.').waitFor();
  const [link] = (await readLinks()).filter(
    ({ shopifyVariantId }) => shopifyVariantId === product.variants[0]?.variantId,
  );
  expect(link).toMatchObject({ productUid: POSTER, fileUrl: FILE });
  expect(unexpectedProblems()).toEqual([]);
});

test('a variant whose option has another name is linked once the merchant enters that name', async () => {
  const templateId = await addTemplate('Sized print', [{ name: 'Size', value: 'Large' }]);
  const product = await addProduct('Sized print', 'SIZED', 'Large');
  await open(`/products/templates/${templateId}`);
  await page.getByRole('textbox', { name: 'Products' }).fill(`${toNumericId(product.productId)}\n999`);
  await page.getByLabel('Print file for all variants').fill(FILE);
  const tryLink = page.getByRole('button', { name: 'Show what would be linked' });
  await tryLink.click();
  await page.getByText('This product is not in your store.').waitFor();
  await page.getByText('Nothing would change.').waitFor();
  await page.getByLabel('Your store’s name for the option Size').fill('Title');
  await tryLink.click();
  await page.getByRole('button', { name: 'Link 1 variant' }).click();
  await page.getByText('Linked: 1 new, 0 changed, 0 unchanged.').waitFor();
  expect(browser.problems).toEqual([]);
});

test('a product is previewed, created from a template and followed until it is published', async () => {
  const templateId = await addTemplate('Night sky');
  await open(`/products/templates/${templateId}`);
  await page.getByRole('heading', { name: 'Create a product' }).waitFor();
  expect(await page.getByLabel('Show the product in the online store').isChecked()).toBe(true);
  const preview = page.getByRole('button', { name: 'Preview the product' });
  await preview.click();
  await page.getByText('Fill in this field.').waitFor();
  await page.getByLabel('Title').fill('Night sky, signed');
  await page.getByLabel('Tags').fill('poster, night');
  await page.getByLabel('File for ImageFront').fill(FILE);
  await preview.click();
  const dialog = page.locator('#create-product');
  await dialog.getByText('poster, night').waitFor();
  await expect.poll(() => imageHosts).toContain('files.example');
  await takeScreenshot('template-create');
  await dialog.getByRole('button', { name: 'Create product' }).click();
  await page.getByText('Platen does not know the ID of your store at the print service yet.').waitFor();
  await takeScreenshot('template-store-id');
  await page.getByLabel('ID of your store at the print service').fill(SEEDED_STORE_ID);
  await preview.click();
  await dialog.getByRole('button', { name: 'Create product' }).click();
  const row = page.locator('s-table-row', { hasText: 'Night sky, signed' });
  await row.getByText('Published', { exact: true }).waitFor({ timeout: 60_000 });
  const products = (await platen.control('print', 'GET', `/stores/${SEEDED_STORE_ID}/products`)) as {
    title: string;
    externalId: string;
  }[];
  const made = products.filter(({ title }) => title === 'Night sky, signed');
  expect(made).toHaveLength(1);
  const link = row.getByRole('link', { name: 'Open in the store' });
  expect(await link.getAttribute('href')).toBe(`https://admin.shopify.com/store/demo/products/${made[0]?.externalId}`);
  await takeScreenshot('template-created');
  await expectAccessibleWithoutSidewaysScroll();
  expect(unexpectedProblems()).toEqual([]);
});

test('leaving a template requires a confirmation only while the form has unsubmitted input', async () => {
  const templateId = await addTemplate('Half filled');
  const product = await addProduct('Half filled', 'HALF');
  const dialog = page.locator('#leave-page');
  const leaveFor = async (name: string): Promise<void> => page.getByRole('link', { name }).first().click();
  const toTemplate = async (): Promise<void> => {
    await open(`/products/templates/${templateId}`);
    await page.getByRole('heading', { name: 'Create a product' }).waitFor();
  };
  await toTemplate();
  await leaveFor('Orders');
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  await toTemplate();
  await page.getByLabel('Title').fill('Half filled, signed');
  await leaveFor('Orders');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByLabel('Title').inputValue()).toBe('Half filled, signed');
  await page.getByLabel('Title').fill('Half filled');
  await page.getByRole('textbox', { name: 'Products' }).fill(toNumericId(product.productId));
  await page.getByLabel('Print file for all variants').fill(FILE);
  await page.getByRole('button', { name: 'Show what would be linked' }).click();
  await page.getByText('Would be linked').waitFor();
  await leaveFor('Orders');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Link 1 variant' }).click();
  await page.getByText('Linked: 1 new, 0 changed, 0 unchanged.').waitFor();
  await page.getByLabel('Title').fill('');
  await page.getByLabel('Title').fill('Half filled');
  await leaveFor('Orders');
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  expect(unexpectedProblems()).toEqual([]);
});

test('leaving the page before a checked file is imported requires a confirmation', async () => {
  await open('/products/import');
  await chooseCsvFile('leave.csv', ['sku,product_uid,file_url', `LEAVE,${POSTER},${FILE}`]);
  await page.getByRole('button', { name: 'Import 1 print link' }).waitFor();
  const orders = page.getByRole('link', { name: 'Orders' }).first();
  await orders.click();
  await page.locator('#leave-page').getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Import 1 print link' }).click();
  await page.getByText('The file was imported: 1 new, 0 changed, 0 unchanged.').waitFor();
  await orders.click();
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('a template of another shop is shown as missing, and an invalid template ID is rejected', async () => {
  const templateId = await addTemplate('Ours alone');
  await openOtherShop(platen, { domain: 'rival.myshopify.com', printKey: 'sandbox-key-rival' });
  await open(`/products/templates/${templateId}`, 'rival.myshopify.com');
  await page.getByText('This page does not exist').waitFor();
  expect(await page.getByText('Ours alone').count()).toBe(0);
  await takeScreenshot('template-missing');
  await open('/products/templates', 'rival.myshopify.com');
  await page.getByText('No templates yet').waitFor();
  await takeScreenshot('templates-empty');
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByLabel('Template ID').fill('../settings');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('Enter the ID of a template').waitFor();
  await page.getByLabel('Template ID').fill(templateId);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('This page does not exist').waitFor();
  expect(unexpectedProblems()).toEqual([]);
});

test('the location plan is shown before it is applied to the store', async () => {
  const variants = (await platen.control('store', 'GET', '/variants')) as {
    variantId: string;
    sku: string;
    shop: string;
    stock: unknown;
  }[];
  const poster = variants.find(({ sku, shop }) => sku === 'POSTER-13X18' && shop === 'demo.myshopify.com');
  const at = `/variants/${encodeURIComponent(poster?.variantId ?? '')}/stock`;
  await platen.control('store', 'POST', at, { location: 'own' });
  await open('/products/location');
  await page.getByRole('heading', { name: 'What would change' }).waitFor();
  const row = page.locator('s-table-row', { hasText: 'POSTER-13X18' });
  await row.getByText('Stock at Platen’s location').waitFor();
  await takeScreenshot('location-plan');
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('button', { name: 'Apply to all variants' }).first().click();
  const dialog = page.locator('#apply-location');
  await takeScreenshot('location-confirm');
  await dialog.getByRole('button', { name: 'Apply to all variants' }).click();
  await page.getByText('Platen is applying the plan.').waitFor();
  await page.getByText('Nothing would change for these variants').waitFor({ timeout: 60_000 });
  await takeScreenshot('location-applied');
  expect(browser.problems).toEqual([]);
});

test('the stock list can be limited to products that are out of stock', async () => {
  const [{ productUid } = { productUid: '' }] = (await readLinks()).filter(({ sku }) => sku === 'MUG-11OZ');
  await open('/products/location');
  const list = page.locator('s-section[heading="Stock at the print service"]');
  await list.getByText(productUid).waitFor();
  await list.getByLabel('Show only products that are out of stock').check();
  await list.getByText('No linked product is out of stock').waitFor();
  const change = { productUid, stockRegionUid: 'US-CA', status: 'out-of-stock' };
  await platen.control('print', 'POST', '/stock', { changes: [change] });
  const isOut = (): Promise<boolean> =>
    platen.app.db.manager.existsBy(ProductStocks, { shopId: platen.shop.id, productUid, status: 'out-of-stock' });
  await expect.poll(isOut, { timeout: 60_000 }).toBe(true);
  await page.reload();
  await list.getByText(productUid).waitFor();
  await list.getByLabel('Show only products that are out of stock').check();
  await list.locator('s-table-row').nth(1).waitFor({ state: 'detached' });
  await list.getByText(productUid).waitFor();
  expect(await list.locator('s-table-row').count()).toBe(1);
  await list.getByText('Out of stock', { exact: true }).waitFor();
  await takeScreenshot('location-stock');
  await expectAccessibleWithoutSidewaysScroll();
  expect(browser.problems).toEqual([]);
});

test('pages show an error if their data cannot be loaded, and load it after a retry', async () => {
  let isDown = true;
  await page.route('**/api/templates*', async (route) => (isDown ? route.abort() : route.continue()));
  await open('/products/templates');
  await page.getByText('You are offline').waitFor();
  await takeScreenshot('templates-offline');
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('You are offline').waitFor({ state: 'detached' });
  const fault = { operation: 'VariantsForStocking', rate: 1, kind: 'status', status: 500, effect: 'none' };
  await platen.control('store', 'POST', '/faults', [fault]);
  await open('/products/location');
  await page.getByText('This page could not be loaded').waitFor();
  await takeScreenshot('location-error');
  await platen.control('store', 'POST', '/faults', []);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This page could not be loaded').waitFor({ state: 'detached' });
  await page.locator('s-section[heading="What would change"] s-table, s-empty-state').first().waitFor();
  expect(browser.problems.filter((one) => !/ERR_FAILED|status of 503/.test(one))).toEqual([]);
});

test('the pages are in German if the admin’s language is German', async () => {
  await open('/products/import');
  for (const [path, heading] of [
    ['/products/import', 'Dateiformat'],
    ['/products/templates', 'Angeforderte Produkte'],
    ['/products/location', 'Was sich ändern würde'],
  ] as const) {
    const german = new URL(page.url());
    german.pathname = path;
    german.searchParams.set('locale', 'de');
    await page.goto(german.href);
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await takeScreenshot(`german${path.replaceAll('/', '-')}`);
    await expectNoSidewaysScroll();
  }
  expect(browser.problems).toEqual([]);
});

test('a chosen file can be imported with only the keyboard', async () => {
  await open('/products/import');
  await page.getByRole('heading', { name: 'File format' }).waitFor();
  await chooseCsvFile('keys.csv', ['sku,product_uid,file_url', `KEYS,${POSTER},${FILE}`]);
  const save = page.getByRole('button', { name: 'Import 1 print link' });
  await save.waitFor();
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
  for (let presses = 0; presses < 20 && (await focused()) !== 'Import 1 print link'; presses += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The file was imported: 1 new').waitFor();
  expect(browser.problems).toEqual([]);
});

test('a list of more than 100 products is shown page by page', async () => {
  const { manager } = platen.app.db;
  const now = new Date();
  const rows = Array.from({ length: 120 }, (_, index) => {
    const productUid = `zz_paged_${String(index).padStart(3, '0')}`;
    return { shopId: platen.shop.id, sku: productUid, productUid, createdAt: now, updatedAt: now };
  });
  await manager.insert(PrintLinks, rows);
  await open('/products/location');
  const list = page.locator('s-section[heading="Stock at the print service"]');
  await list.locator('s-table-row').nth(99).waitFor();
  expect(await list.locator('s-table-row').count()).toBe(100);
  expect(await list.getByText('zz_paged_119').count()).toBe(0);
  await list.getByRole('button', { name: 'Next page' }).click();
  await list.getByText('zz_paged_119').waitFor();
  await list.getByRole('button', { name: 'Previous page' }).click();
  await list.getByText('zz_paged_000').waitFor();
  expect(browser.problems).toEqual([]);
});
