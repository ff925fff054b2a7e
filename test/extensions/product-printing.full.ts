import { beforeAll, expect, test } from 'vitest';
import { PrintLinks } from '../../src/database/entities/products.ts';
import { browser, expectAccessible, expectNoSidewaysScroll, page, platen } from '../helpers/admin-page.ts';
import { openExtension, testExtensions } from '../helpers/extension-page.ts';

interface StoreProduct {
  productId: string;
  variants: { variantId: string }[];
}

testExtensions();

/** A product with a variant that is not linked yet. */
let product: StoreProduct;
/** A product of the print service. */
let printed: string;

beforeAll(async () => {
  const given = {
    shop: 'demo.myshopify.com',
    title: 'Sunset',
    variants: [{ title: 'A3', sku: 'SUNSET-A3', price: '20.00' }],
  };
  product = (await platen.control('store', 'POST', '/products', given)) as StoreProduct;
  const [link] = await platen.app.db.manager.find(PrintLinks, { take: 1 });
  printed = link!.productUid;
});

async function show(kind: 'product' | 'product-variant', id: string, as: 'block' | 'action' = 'block'): Promise<void> {
  await openExtension('product-printing', { target: `admin.${kind}-details.${as}.render`, ids: [id] });
}

test('the action shows an error at its field, and links the variant once the input is valid', async () => {
  await show('product', product.productId, 'action');
  const field = page.getByLabel('Print product', { exact: true });
  await field.fill('no-such-product');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/no-such-product/).waitFor();
  // The browser itself reports the 400.
  expect(browser.problems.splice(0)).toEqual([expect.stringContaining('400')]);
  await expectAccessible();
  await expectNoSidewaysScroll();
  await field.fill(printed);
  await page.getByLabel('Print file').fill('https://files.example.com/sunset.pdf');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Closed').waitFor();
  await show('product', product.productId, 'action');
  await expect.poll(() => page.getByLabel('Print file').inputValue()).toBe('https://files.example.com/sunset.pdf');
});

test('the product’s block shows how its variants are printed, and links to their print links in Platen', async () => {
  const [{ variantId } = { variantId: '' }] = product.variants;
  await show('product', product.productId);
  await page.getByText(`Printed as ${printed}.`).waitFor();
  const link = page.getByRole('link', { name: 'Change in Platen' });
  expect(await link.getAttribute('href')).toBe(`app:products/link?variantId=${variantId.split('/').at(-1)}`);
  await expectAccessible();
  await expectNoSidewaysScroll();
});
