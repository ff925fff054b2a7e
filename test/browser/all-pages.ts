import { SECTION_NAMES } from '../../src/admin/pages/settings/sections.ts';
import { page, platen } from '../helpers/admin-page.ts';

const TOP_PAGES = ['', '/orders', '/products', '/settings'];
const VIEWS = ['events', 'polls', 'backfills', 'costs', 'privacy'].map((view) => `/activity?view=${view}`);
export const INNER_PAGES = [
  '/orders/:order',
  '/products/link',
  '/products/link?sku=NEW',
  '/products/import',
  '/products/templates',
  '/products/location',
  ...SECTION_NAMES.map((name) => `/settings/${name}`),
];
/** Every page of the app. `:order` stands for an order on hold. */
export const ALL_PAGES = [...TOP_PAGES, ...VIEWS, ...INNER_PAGES];

/** Places an order that is held, and returns its ID as the pages' addresses contain it. */
export async function placeHeldOrder(): Promise<string> {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  return id.split('/').at(-1) ?? '';
}

/** Waits until the page shows its data. */
export async function untilShown(): Promise<void> {
  await page.locator('s-page').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}
