import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds, StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from '../test-app.ts';

const HELD = 'The order has no shipping address.';
const GERMAN = 'Die Bestellung hat keine Lieferadresse.';

let endpoints: TestEndpoints;
let shop: Shop;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  const { db } = endpoints.app;
  shop = await addShop(db);
  const order = { shopId: shop.id, shopifyOrderId: 'gid://shopify/Order/1', name: '#1', placedAt: new Date() };
  const { id: storefrontOrderId } = await db.getRepository(StorefrontOrders).save(order);
  const ids = { shopId: shop.id, storefrontOrderId };
  await db.manager.insert(Holds, { ...ids, code: 'no_address', message: HELD });
  await db.manager.insert(TimelineEntries, { ...ids, kind: 'held', message: `Held: ${HELD}` });
});
afterAll(() => endpoints.close());

async function ask(path: string, language: string | null, settings?: object) {
  const answer = await fetch(`${endpoints.url}/api${path}`, {
    method: settings ? 'PUT' : 'GET',
    headers: {
      Authorization: `Bearer ${createTestSessionToken(shop.domain)}`,
      ...(language === null ? {} : { 'Accept-Language': language }),
    },
    ...(settings ? { body: JSON.stringify(settings) } : {}),
  });
  return { headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}

test.each(['de', 'de-CH', 'de-DE,de;q=0.9,en;q=0.8'])('an order is described in German for %s', async (language) => {
  const { body, headers } = await ask('/orders/1', language);
  expect(body).toMatchObject({
    holds: [{ code: 'no_address', message: GERMAN, remedy: expect.stringContaining('Tragen Sie') }],
    timeline: [{ kind: 'held', message: `Angehalten: ${GERMAN}` }],
  });
  expect(headers.get('Content-Language')).toBe('de');
});

test.each([null, 'en', 'fr', 'en-US,de;q=0.5'])('an order is described in English for %s', async (language) => {
  const { body, headers } = await ask('/orders/1', language);
  expect(body).toMatchObject({ holds: [{ message: HELD }], timeline: [{ message: `Held: ${HELD}` }] });
  expect([headers.get('Content-Language'), headers.get('Vary')]).toEqual([null, 'Accept-Language']);
});

test('an invalid setting is explained in German, with its field', async () => {
  const { body } = await ask('/settings', 'de', { delayMinutes: 99_999_999 });
  const rule = 'muss eine ganze Zahl von 0 bis 43200 sein';
  expect(body).toEqual({
    error: { code: 'invalid_input', field: 'delayMinutes', message: `delayMinutes: ${rule}.`, rule },
  });
});

test('a translated response differs from the English response only in its texts', async () => {
  const [english, german] = [await ask('/home', 'en'), await ask('/home', 'de')];
  const [hold] = english.body['holds'] as { oldest: object }[];
  const remedy = (german.body['holds'] as { oldest: { remedy: string } }[])[0]?.oldest.remedy;
  expect(german.body).toEqual({
    ...english.body,
    holds: [{ ...hold, oldest: { ...hold?.oldest, message: GERMAN, remedy } }],
  });
});
