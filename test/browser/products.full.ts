import { expect, test } from 'vitest';
import { PrintLinks, LinkMetafieldReadings } from '../../src/database/entities/products.ts';
import { browser, open as openPath, page, platen, testPages } from '../helpers/admin-page.ts';

testPages({ advanceSeconds: null });

const open = (path = '/products', shop?: string): Promise<void> => openPath(path, shop);

interface CreatedProduct {
  productId: string;
  variants: { variantId: string; sku: string }[];
}

async function addProduct(title: string, sku: string): Promise<{ productId: string; variantId: string }> {
  const made = (await platen.control('store', 'POST', '/products', { title, variants: [{ sku }] })) as CreatedProduct;
  return { productId: made.productId, variantId: made.variants[0]?.variantId ?? '' };
}

/** Records that the print service has the product, so that an order for it is held until it has a print link. */
async function addServiceProduct(productId: string, title: string): Promise<void> {
  await platen.app.db.query(
    `insert into store_products (shop_id, print_account_id, store_id, store_product_id, shopify_product_id, title, status, reading_sha256, read_at)
     values ($1, $2, 'store', $3, $4, $3, 'active', '', now())`,
    [platen.shop.id, platen.shop.printAccountId, title, productId],
  );
}

const toNumericId = (gid: string): string => gid.split('/').at(-1) ?? '';
const findLink = (sku: string) => platen.app.db.manager.findOneBy(PrintLinks, { shopId: platen.shop.id, sku });
const modal = (heading: string) => page.locator(`s-modal[heading="${heading}"]`);
const findRow = (sku: string) =>
  page.locator('s-table-row', { has: page.getByRole('link', { name: sku, exact: true }) });

test('a print link can be edited, and is deleted only after the merchant confirms', async () => {
  await open('/products?sku=MUG-15OZ');
  await findRow('MUG-15OZ').waitFor();
  await page.getByRole('link', { name: 'MUG-15OZ', exact: true }).click();
  const file = page.getByLabel('Address of the print file');
  await file.fill('https://files.example/other-mug.pdf');
  await page.getByRole('button', { name: 'Save the print link' }).click();
  await page.getByRole('heading', { name: 'is saved' }).waitFor();
  expect(await findLink('MUG-15OZ')).toMatchObject({ fileUrl: 'https://files.example/other-mug.pdf' });
  await page.getByRole('link', { name: 'Products', exact: true }).last().click();
  await page.getByLabel('Find by SKU').fill('MUG-15OZ');
  await expect.poll(() => page.getByRole('button', { name: /^Check again/ }).count()).toBe(1);
  await findRow('MUG-15OZ').locator('s-button[command="--show"]').click();
  const dialog = modal('Delete: MUG-15OZ');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await findLink('MUG-15OZ')).not.toBeNull();
  await findRow('MUG-15OZ').locator('s-button[command="--show"]').click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The print link for MUG-15OZ is deleted.').waitFor();
  await page.getByText('No print link has this SKU').waitFor();
  expect(await findLink('MUG-15OZ')).toBeNull();
  expect(browser.problems).toEqual([]);
});

test('a merchant can mark an unlinked product as one that they ship, and the product is then no longer listed as unlinked', async () => {
  const { productId, variantId } = await addProduct('Old Postcard', 'POSTCARD-OLD');
  await addServiceProduct(productId, 'Old Postcard');
  const { id } = await platen.placeSkus({ 'POSTCARD-OLD': 1 });
  await platen.untilState(id, 'held');
  await open();
  const own = page.locator('s-button', { hasText: 'I ship it myself' });
  await page
    .locator('s-stack', { has: page.getByText('POSTCARD-OLD', { exact: true }) })
    .last()
    .waitFor();
  const dialog = page.locator(`#own-variant-${toNumericId(variantId)}`);
  await page.locator(`s-button[commandfor=own-variant-${toNumericId(variantId)}][command="--show"]`).click();
  await dialog.locator('s-button[slot=primary-action]').click();
  await page.getByText('You now ship this product yourself.').waitFor();
  await own.first().waitFor({ state: 'detached' });
  const owned: unknown[] = await platen.app.db.query(
    'select from own_products where shop_id = $1 and shopify_id = $2',
    [platen.shop.id, productId],
  );
  expect(owned).toHaveLength(1);
  expect(browser.problems).toEqual([]);
});

test('the problems of products at the print service and of metafields are shown', async () => {
  await platen.app.db.query(
    `with p as (insert into store_products (shop_id, print_account_id, store_id, store_product_id, shopify_product_id, title, status,
       publishing_error_code, reading_sha256, read_at) values ($1, $2, 'store', 'broken', null, 'Broken Poster', 'publishing_error', 'E1', '', now()) returning id)
     insert into store_product_variants (store_product_id, store_variant_id, shop_id, shopify_variant_id, title, status)
     select id, 'v1', $1, null, 'Large', 'not_connected' from p`,
    [platen.shop.id, platen.shop.printAccountId],
  );
  const problems = [
    {
      field: 'fileUrl',
      message: 'This is not the address of a file.',
      remedy: 'Enter the full address, such as https://files.example.com/mug.pdf.',
    },
  ];
  await platen.app.db.manager.save(LinkMetafieldReadings, {
    shopId: platen.shop.id,
    shopifyVariantId: 'gid://shopify/ProductVariant/77',
    problems,
    readAt: new Date(),
  } as never);
  await open('/products?status=problem');
  await page.getByText('Broken Poster').waitFor();
  await page.getByText('could not publish the product to your store: E1').waitFor();
  await page.getByRole('button', { name: 'Show variants: Broken Poster' }).click();
  await page.getByText('Large').waitFor();
  await page.getByText('This is not the address of a file.').waitFor();
  await page.getByRole('button', { name: 'Check links with problems again' }).click();
  await page.getByText(/No print link has a problem|being checked\./).waitFor();
  await page.locator('s-select[label=Status] select').selectOption('publishing');
  await page.getByText('No products match this filter').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('publishing');
  expect(browser.problems).toEqual([]);
});
