import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { handleDelivery } from '../../../src/inbox/handle-delivery.ts';
import { startStore } from '../../../sandbox/store/start.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads, openTestEndpoints, type TestEndpoints } from '../../http/test-app.ts';
import { sessionTokenOf } from '../../shops/open-store.ts';

const DEMO = 'demo.myshopify.com';
const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };

let home: string;
let endpoints: TestEndpoints;
let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'platen-new-product-'));
  const [port = 0] = await findFreePorts(1);
  endpoints = await openTestEndpoints({ SHOPIFY_ADMIN_ORIGIN: `http://127.0.0.1:${port}/{shop}` });
  store = await startStore({ home, port, appUrl: endpoints.url, ...APP });
});
afterAll(async () => {
  await store.close();
  await endpoints.close();
  await rm(home, { recursive: true });
});

async function inStore<Answer>(path: string, body: unknown): Promise<Answer> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${store.url}/_control${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

test('the webhook for a new product is sufficient to read the print links in its metafields', async () => {
  const { app } = endpoints;
  const shop = await installShop(app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
  await changeSettings(app, shop, { printLinkMetafields: 'print' });
  const { variants } = await inStore<{ variants: { variantId: string }[] }>('/products', {
    title: 'Made by a CSV app',
    variants: [{ title: 'one' }],
  });
  const ownerId = variants[0]?.variantId ?? '';
  const text = 'single_line_text_field';
  // Webhooks for these changes are stored but not handled in this test.
  await inStore('/metafields', { ownerId, namespace: 'print', key: 'product_uid', type: text, value: 'mug' });
  const delivery = () => app.db.manager.findOneBy(Deliveries, { shopId: shop.id, topic: 'products/create' });
  await expect.poll(delivery, { timeout: 10_000 }).not.toBeNull();
  await handleDelivery(app, { deliveryId: (await delivery())?.id ?? '' });
  expect(await delivery()).toMatchObject({ result: 'handled' });
  for (const payload of await readJobPayloads(app.db, 'read_product'))
    await toTasks(app).read_product(payload as never);
  const links = await app.db.manager.findBy(PrintLinks, { shopId: shop.id });
  expect(links).toMatchObject([{ shopifyVariantId: ownerId, productUid: 'mug', source: 'metafields' }]);
});
