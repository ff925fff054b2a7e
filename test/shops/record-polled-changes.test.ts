import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Deliveries, type Delivery } from '../../src/database/entities/deliveries.ts';
import { PrintAccounts, type Shop } from '../../src/database/entities/shops.ts';
import { readPollPasses } from '../../src/polls/read-poll-passes.ts';
import { readConnections } from '../../src/shops/read-connections.ts';
import { checkSilentSources, recordPolledChanges, readSilentSources } from '../../src/shops/record-polled-changes.ts';
import { addShop, openTestApp, type TestApp } from '../http/test-app.ts';
import { atTime } from '../helpers/at-time.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-22T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR_MS);
let app: TestApp;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  const opened = await openTestApp();
  app = atTime(opened, () => NOW);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops; delete from print_accounts');
  const { id: printAccountId } = await app.db.manager.save(PrintAccounts, { keyFingerprint: 'a', keyEncrypted: 'a' });
  [shop, other] = [await addShop(app.db), await addShop(app.db)];
  await app.db.query('update shops set installed_at = $1, print_account_id = $2', [hoursAgo(240), printAccountId]);
});

const deliver = ({ id: shopId }: Shop, source: Delivery['source'], receivedAt: Date, topic = 'orders/paid') =>
  app.db.manager.insert(Deliveries, { source, shopId, dedupeKey: randomUUID(), topic, bodySha256: '0', receivedAt });

test('a day without webhooks causes a warning if polls found changes in the store, until a webhook arrives', async () => {
  await deliver(shop, 'shopify', hoursAgo(50));
  // Neither of these shows that webhooks arrive: the fulfillment service callback needs no webhook subscription, and the event is from the
  // print service.
  await deliver(shop, 'shopify', hoursAgo(2), 'fulfillment_order_notification');
  await deliver(shop, 'print', hoursAgo(2));
  await deliver(other, 'shopify', hoursAgo(2));
  await recordPolledChanges(app, 'shopify', [shop.id, other.id]);
  expect(await checkSilentSources(app)).toBe(1);
  expect(app.logged()).toContain(`"shopId":${shop.id},"source":"shopify"`);
  expect(await readSilentSources(app, shop)).toEqual({ shopify: hoursAgo(50), print: null });
  expect(await readSilentSources(app, other)).toEqual({ shopify: null, print: null });
  expect((await readPollPasses(app)).silentShops).toEqual({ shopify: 1, print: 0 });
  expect((await readConnections(app, shop)).silent.shopify).toEqual(hoursAgo(50));
  await deliver(shop, 'shopify', NOW);
  expect(await readSilentSources(app, shop)).toEqual({ shopify: null, print: null });
  expect(await checkSilentSources(app)).toBe(0);
});

test('an event at the address of any shop with the same print account ends the warning about missing events', async () => {
  await recordPolledChanges(app, 'print', [shop.id, other.id]);
  expect(await checkSilentSources(app)).toBe(2);
  // No event has ever arrived, so the source has been silent since the install.
  expect(await readSilentSources(app, shop)).toEqual({ shopify: null, print: hoursAgo(240) });
  await deliver(other, 'print', hoursAgo(1), 'order_status_updated');
  expect(await checkSilentSources(app)).toBe(0);
  expect(await readSilentSources(app, shop)).toEqual({ shopify: null, print: null });
});
