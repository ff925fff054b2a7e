import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from '../test-app.ts';

let endpoints: TestEndpoints;
// No server listens at this address.
beforeAll(async () => void (endpoints = await openTestEndpoints({ PRINT_ORDER_URL: 'http://127.0.0.1:9' })));
afterAll(() => endpoints.close());

test('no backfill starts while the print service is unavailable, because other apps cannot be detected', async () => {
  const { db } = endpoints.app;
  const shop = await addShop(db);
  const { id: printAccountId } = await findOrCreatePrintAccount(endpoints.app, 'sandbox-key');
  await db.getRepository(Shops).update({ id: shop.id }, { printAccountId });
  const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
  const body = JSON.stringify({ since: new Date(Date.now() - 86_400_000).toISOString() });
  const answer = await fetch(`${endpoints.url}/api/backfills`, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'print_service_unavailable' } }]);
  const listed = await fetch(`${endpoints.url}/api/backfills`, { headers });
  expect(await listed.json()).toEqual({ backfills: [] });
});
