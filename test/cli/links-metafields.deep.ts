import { afterAll, beforeAll, expect, test } from 'vitest';
import { LinkMetafieldReadings } from '../../src/database/entities/products.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';
import { runPlatenOn } from './run-platen.ts';

let app: OpenTestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

test('platen links metafields lists the problems in the metafields of one shop', async () => {
  const [shop, other] = [await addShop(app.db, 'links.myshopify.com'), await addShop(app.db, 'other.myshopify.com')];
  const shopifyVariantId = 'gid://shopify/ProductVariant/42';
  const problems = [{ field: 'print.page_count', message: 'print.page_count is wrong.', remedy: 'Fix it.' }];
  const rows = [shop, other].map(({ id: shopId }, index) => ({
    shopId,
    shopifyVariantId: `${shopifyVariantId}${index}`,
    problems,
    readAt: new Date(),
  }));
  await app.db.getRepository(LinkMetafieldReadings).save(rows);
  const { stdout, code } = await runPlatenOn(app, ['links', 'metafields', '--shop', 'links']);
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 2]);
  expect(stdout).toMatch(/420 +print\.page_count +print\.page_count is wrong\. Fix it\./);
  const json = await runPlatenOn(app, ['links', 'metafields', '--shop', 'links', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject([{ variantId: `${shopifyVariantId}0`, problems }]);
  expect(await runPlatenOn(app, ['links', 'metafields'])).toMatchObject({ code: 2 });
});
