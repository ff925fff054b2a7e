import { afterAll, beforeAll, expect, test } from 'vitest';
import { tamperDeliveries } from './tamper-deliveries.ts';
import { addShop, openTestEndpoints, post, type TestEndpoints, createWebhookHeaders } from './test-app.ts';

const CONCURRENCY = 8;
/** All deliveries come from one IP address, whose usual limit would cause a 503 after the first thousand. */
const HIGH_LIMITS = { unidentified: { atOnce: 100, burst: 20_000, perSecond: 50 } };

let endpoints: TestEndpoints;

beforeAll(async () => void (endpoints = await openTestEndpoints({}, { rules: HIGH_LIMITS })));
afterAll(() => endpoints.close());

test('10,000 tampered deliveries get 401 and are not stored', async () => {
  const shop = await addShop(endpoints.app.db);
  const url = `${endpoints.url}/webhooks/shopify`;
  const all = tamperDeliveries(2026, 10_000, shop.domain);
  const accepted: string[] = [];
  let sent = 0;
  const sender = async (): Promise<void> => {
    for (const { how, body, headers } of all) {
      const { status } = await post(url, body, headers);
      sent += 1;
      if (status !== 401) accepted.push(`${status}: ${how}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  expect(accepted).toEqual([]);
  expect(sent).toBe(10_000);
  expect(await endpoints.app.db.query('select from deliveries')).toEqual([]);
  expect(await endpoints.app.db.query('select from graphile_worker.jobs')).toEqual([]);
  // The endpoint still accepts a valid delivery.
  expect((await post(url, '{"id":1}', createWebhookHeaders('{"id":1}', { shop: shop.domain }))).status).toBe(200);
  expect(await endpoints.app.db.query('select from deliveries')).toHaveLength(1);
});
