import { writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks } from '../../src/database/entities/products.ts';
import { SEEDED_STORE_ID } from '../../sandbox/print/store-products/seed-stores.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
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
  for (const standIn of ['print', 'store'] as const) await platen.control(standIn, 'POST', '/faults', []);
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
  await expectAccessibleWithoutSidewaysScroll();
  const before = await readLinks();
  const head = 'sku,product_uid,file_url';
  await chooseCsvFile('wrong.csv', [head, `FIRST,${POSTER},${FILE}`, `SECOND,${POSTER},ftp://files.example/a.png`]);
  await page.getByText('file_url: must begin with https://').waitFor();
  const row = page.locator('s-table-row', { hasText: 'SECOND' });
  expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toContain('Error file_url');
  await page.locator('s-table-row', { hasText: 'SKU FIRST' }).getByText('New').waitFor();
  expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
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
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('link', { name: 'Gallery print' }).click();
  await page.getByRole('heading', { name: 'Link store variants' }).waitFor();
  expect(page.url()).toContain(`/products/templates/${templateId}`);
  await page.getByText('Printed on thick paper.').first().waitFor();
  await expectAccessibleWithoutSidewaysScroll();
  const tryLink = page.getByRole('button', { name: 'Show what would be linked' });
  await page.getByRole('textbox', { name: 'Products' }).fill('the poster');
  await tryLink.click();
  await page.getByText('“the poster” is not the address or ID of a product.').waitFor();
  await page
    .getByRole('textbox', { name: 'Products' })
    .fill(`https://admin.shopify.com/store/demo/products/${product.productId.split('/').at(-1)}`);
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
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('button', { name: 'Link 1 variant' }).click();
  await page.getByText('Linked: 1 new, 0 changed, 0 unchanged.').waitFor();
  const [link] = (await readLinks()).filter(
    ({ shopifyVariantId }) => shopifyVariantId === product.variants[0]?.variantId,
  );
  expect(link).toMatchObject({ productUid: POSTER, fileUrl: FILE });
  expect(unexpectedProblems()).toEqual([]);
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
  await dialog.getByRole('button', { name: 'Create product' }).click();
  await page.getByText('Platen does not know the ID of your store at the print service yet.').waitFor();
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
  await expectAccessibleWithoutSidewaysScroll();
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
  await expectAccessibleWithoutSidewaysScroll();
  await page.getByRole('button', { name: 'Apply to all variants' }).first().click();
  const dialog = page.locator('#apply-location');
  await dialog.getByRole('button', { name: 'Apply to all variants' }).click();
  await page.getByText('Platen is applying the plan.').waitFor();
  await page.getByText('Nothing would change for these variants').waitFor({ timeout: 60_000 });
  expect(browser.problems).toEqual([]);
});
