import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { createSessionToken } from '../../../sandbox/store/access/session-token.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten } from '../../helpers/platen.ts';
import type { Platen, PlacedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { readDeliveriesOfShop, post, createWebhookHeaders } from '../../http/test-app.ts';
import { printOrdersOf } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const OTHER = 'other.myshopify.com';

let platen: Platen;
let other: Shop;
let order: PlacedOrder;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
  const { app, control } = platen;
  await control('store', 'POST', '/shops', { shop: OTHER });
  other = await installShop(app, { domain: OTHER, sessionToken: createSessionToken(app.config.shopify, OTHER) });
  await changeSettings(app, other, { printKey: 'sandbox-key-other' });
  order = await platen.placeSkus({ 'POSTER-30X40': 1 });
});

afterAll(() => platen.stop());

/** Returns all data of both shops in the database, except deliveries, and all data at the service. */
async function readAllData(): Promise<string> {
  const { db } = platen.app;
  const tables: { name: string }[] = await db.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
     and table_name not in ('deliveries', 'job_runners', 'migrations') order by 1`,
  );
  const rows: unknown[] = [];
  for (const { name } of tables)
    rows.push([name, await db.query(`select to_jsonb(t) as row from ${name} t order by to_jsonb(t)::text`)]);
  return JSON.stringify([rows, await platen.printed()], null, 1);
}

const numberOf = (gid: string) => Number(gid.slice(gid.lastIndexOf('/') + 1));

test('a signed body from one shop with the header of another shop changes nothing in either shop', async () => {
  const { app, url, shop } = platen;
  await eventually(() => printOrdersOf(platen, order)).toMatchObject([{ state: 'submitted' }]);
  await untilIdle(app);
  const about = { shop_domain: shop.domain, customer: { id: 1 } };
  const bodies: Record<string, object> = {
    // This also updates the stored scopes of the other shop, so that their update does not count as a change below.
    'app/scopes_update': { id: 1 },
    'orders/paid': { id: numberOf(order.id), admin_graphql_api_id: order.id },
    'orders/cancelled': { id: numberOf(order.id), admin_graphql_api_id: order.id },
    'orders/delete': { id: numberOf(order.id) },
    'fulfillment_orders/moved': { moved_fulfillment_order: { id: order.fulfillmentOrders[0]?.id } },
    'app/uninstalled': { id: 1, myshopify_domain: shop.domain },
    'customers/redact': { ...about, orders_to_redact: [numberOf(order.id)] },
    'customers/data_request': { ...about, orders_requested: [numberOf(order.id)] },
    'shop/redact': { shop_id: 1, shop_domain: shop.domain },
    'shop/update': { id: 1, name: 'Another', myshopify_domain: shop.domain, currency: 'JPY' },
  };
  let before: string | null = null;
  for (const [topic, value] of Object.entries(bodies)) {
    const body = JSON.stringify(value);
    const headers = createWebhookHeaders(body, { topic, shop: OTHER, 'X-Shopify-Webhook-Id': randomUUID() });
    expect((await post(`${url}/webhooks/shopify`, body, headers)).status).toBe(200);
    await untilIdle(app);
    const after = await readAllData();
    if (before !== null) expect(after, topic).toBe(before);
    before = after;
    const kept = (await readDeliveriesOfShop(app.db, other)).at(-1);
    if (kept?.topic === topic) expect(JSON.stringify(kept)).not.toContain(shop.domain);
  }
});

test('a signed body with the header of its own shop takes effect', async () => {
  const { app, url, shop } = platen;
  const body = JSON.stringify({ id: 1, myshopify_domain: shop.domain });
  const headers = createWebhookHeaders(body, { topic: 'app/uninstalled', shop: shop.domain });
  const before = await readAllData();
  expect((await post(`${url}/webhooks/shopify`, body, headers)).status).toBe(200);
  await untilIdle(app);
  expect(await readAllData()).not.toBe(before);
});
