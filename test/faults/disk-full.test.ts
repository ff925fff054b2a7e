import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import {
  addShop,
  readDeliveriesOfShop,
  openTestEndpoints,
  post,
  createWebhookHeaders,
  type TestEndpoints,
} from '../http/test-app.ts';

let endpoints: TestEndpoints;
beforeAll(async () => void (endpoints = await openTestEndpoints({}, { replayMs: 50 })));
afterAll(() => endpoints.close());

test('while the database disk is full, webhooks get a 503 response and events are spooled, and both are stored later', async () => {
  const { app, url } = endpoints;
  const shop = await addShop(app.db);
  const { pathname } = new URL(await createPrintWebhookAddress(app, shop));
  // With a full disk, PostgreSQL responds to writes with this error, but still responds to reads.
  await app.db.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger refuse before insert on deliveries for each row execute function refuse();
  `);
  const body = '{"id":1,"admin_graphql_api_id":"gid://shopify/Order/1"}';
  const deliver = () => post(`${url}/webhooks/shopify`, body, createWebhookHeaders(body, { shop: shop.domain }));
  expect((await deliver()).status).toBe(503);
  const event = '{"id":"event-1","event":"order_status_updated","orderReferenceId":"pl-1"}';
  expect((await post(`${url}${pathname}`, event)).status).toBe(200);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await readDeliveriesOfShop(app.db, shop)).toEqual([]);

  await app.db.query('drop function refuse() cascade');
  expect((await deliver()).status).toBe(200);
  await expect.poll(() => readDeliveriesOfShop(app.db, shop)).toHaveLength(2);
  const kept = await readDeliveriesOfShop(app.db, shop);
  expect(kept.map(({ source }) => source).toSorted()).toEqual(['print', 'shopify']);
});
