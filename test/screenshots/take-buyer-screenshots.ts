import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { page, platen } from '../helpers/admin-page.ts';
import { openBuyerExtension, testExtensions } from '../helpers/extension-page.ts';
import { openProductPage } from '../extensions/open-product-page.ts';
import { untilIdle } from '../helpers/until-idle.ts';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const WIDTH = 700;
const LONG = { timeout: 60_000 };

testExtensions({ advanceSeconds: null });

/** Takes a screenshot of the page from the top to the end of an element. */
async function saveScreenshot(name: string, last: string): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: 600 });
  const box = await page.locator(last).boundingBox();
  const height = Math.ceil((box?.y ?? 0) + (box?.height ?? 0)) + 16;
  await page.screenshot({ path: `${IMAGES}${name}.png`, clip: { x: 0, y: 0, width: WIDTH, height } });
}

test('a screenshot is taken of the block on a buyer’s order page', async () => {
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, { grant: ['write_orders'] });
  await changeSettings(platen.app, platen.shop, { writesOrderMetafields: true });
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'printing');
  await untilIdle(platen.app);
  await openBuyerExtension('order-status', { target: 'customer-account.order-status.block.render', id });
  await expect.poll(() => page.getByText('Expected delivery').isVisible(), LONG).toBe(true);
  await saveScreenshot('extension-order-status', 's-section');
});

test('a screenshot is taken of the block on a product page', async () => {
  await openProductPage({ skus: ['POSTER-30X40'] });
  await expect.poll(() => page.getByText('Made to order').isVisible(), LONG).toBe(true);
  await saveScreenshot('extension-theme', '#after');
});
