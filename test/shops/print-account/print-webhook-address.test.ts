import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { acceptsArrival } from '../../../src/inbox/receive-print-delivery.ts';
import {
  hashPrintWebhookToken,
  createPrintWebhookAddress,
  readPrintWebhookAddress,
} from '../../../src/shops/print-account/print-webhook-address.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

let app: TestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

function inHours(hours: number): App {
  return atTime(app, () => new Date(Date.now() + hours * 3_600_000));
}

async function find(url: string, at: App = app): Promise<number | undefined> {
  const tokenHash = hashPrintWebhookToken(url.split('/').at(-1) ?? '');
  const address = await readPrintWebhookAddress(at, tokenHash);
  return address && acceptsArrival(at, address, { tokenHash, headerProofs: [], receivedAt: at.clock.now() })
    ? address.id
    : undefined;
}

test('a webhook address has 256 random bits, identifies its shop and is stored only as a hash', async () => {
  const shop = await addShop(app.db);
  const url = await createPrintWebhookAddress(app, shop);
  const [, token = ''] = /^http:\/\/127\.0\.0\.1:3000\/webhooks\/print\/([A-Za-z0-9_-]{43})$/.exec(url) ?? [];
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(await find(url)).toBe(shop.id);
  const rows: unknown = await app.db.query('select * from print_webhook_tokens');
  expect(JSON.stringify(rows)).not.toContain(token);
  // The stored hash itself is not a valid address.
  expect(await find(hashPrintWebhookToken(token))).toBeUndefined();
});

test('the previous webhook address stays valid for a day', async () => {
  const shop = await addShop(app.db);
  const first = await createPrintWebhookAddress(app, shop);
  const second = await createPrintWebhookAddress(app, shop);
  expect([await find(first), await find(second)]).toEqual([shop.id, shop.id]);
  expect([await find(first, inHours(23)), await find(second, inHours(23))]).toEqual([shop.id, shop.id]);
  expect([await find(first, inHours(25)), await find(second, inHours(25))]).toEqual([undefined, shop.id]);
});

test('a third webhook address does not extend the validity of the first, and expired addresses are deleted', async () => {
  const shop = await addShop(app.db);
  const first = await createPrintWebhookAddress(app, shop);
  const second = await createPrintWebhookAddress(inHours(20), shop);
  await createPrintWebhookAddress(inHours(45), shop);
  expect([await find(first, inHours(45)), await find(second, inHours(45))]).toEqual([undefined, shop.id]);
  const rows: unknown[] = await app.db.query('select from print_webhook_tokens where shop_id = $1', [shop.id]);
  expect(rows).toHaveLength(2);
});
