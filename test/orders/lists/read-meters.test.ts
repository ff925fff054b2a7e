import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { Fulfillments, Packages } from '../../../src/database/entities/packages.ts';
import { readMeters, type MeterName } from '../../../src/orders/lists/read-meters.ts';
import { countCallbacks, type CallbackCounts } from '../../../src/shops/callbacks/count-callbacks.ts';
import { addOrder, addPrintOrder } from '../add-rows.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const NOTHING = { counted: 0, passed: 0, percent: null, isMet: null };

let opened: TestApp;
let app: TestApp;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  opened = await openTestApp();
  app = atTime(opened, () => NOW);
});
afterAll(() => opened.close());
beforeEach(async () => {
  [shop, other] = [await addShop(app.db), await addShop(app.db)];
});

const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);

async function meter(name: MeterName, of = shop) {
  const { meters } = await readMeters(app, of);
  const { counted, passed, percent, isMet } = meters.find((one) => one.name === name)!;
  return { counted, passed, percent, isMet };
}

/** Adds a parcel of a print order, with its fulfillment in the store if Platen created one. */
async function addParcel(
  of: Shop,
  seen: number,
  pushed: number | null,
  more: Partial<{ code: string; isFulfilled: boolean; replacedAt: Date; confirmedAt: Date }> = {},
): Promise<void> {
  const { code = 'T1', isFulfilled = pushed !== null, replacedAt = null, confirmedAt = hoursAgo(seen + 48) } = more;
  const order = await addOrder(app, of);
  const { id: printOrderId, shopifyFulfillmentOrderId } = await addPrintOrder(app, order, {
    state: 'shipped',
    confirmedAt,
  });
  const pushedAt = pushed === null ? null : hoursAgo(pushed);
  const parcel = {
    printOrderId,
    serviceOrderId: 's',
    trackingCode: code,
    seenAt: hoursAgo(seen),
    pushedAt,
    replacedAt,
  };
  await app.db.manager.insert(Packages, parcel);
  if (!isFulfilled) return;
  const about = { shopId: of.id, storefrontOrderId: order.id, shopifyFulfillmentOrderId, printOrderId };
  const row = { ...about, state: 'done' as const, lines: [], trackingCodes: [code] };
  await app.db.manager.insert(Fulfillments, row);
}

async function addEntry(of: Shop, kind: string, hours: number, about: string, orderId?: string): Promise<void> {
  const data = { shopifyFulfillmentOrderId: about };
  await app.db.query(
    `insert into timeline_entries (shop_id, storefront_order_id, kind, message, data, at) values ($1, $2, $3, '', $4, $5)`,
    [of.id, orderId ?? (await addOrder(app, of)).id, kind, data, hoursAgo(hours)],
  );
}

/** Counts calls like a process that received them this many hours ago. */
async function receive(hours: number, run: (counts: CallbackCounts) => void): Promise<void> {
  const counts = countCallbacks(atTime(app, () => hoursAgo(hours)));
  run(counts);
  await counts.close();
}

test('a tracking code is on time if it reaches the store within an hour of the service reporting it', async () => {
  await addParcel(shop, 10, 9.9);
  await addParcel(shop, 10, 9);
  await addParcel(shop, 10, 8.9);
  await addParcel(shop, 5, null);
  await addParcel(other, 10, 1);
  expect(await meter('tracking')).toEqual({ counted: 4, passed: 2, percent: 50, isMet: false });
  expect(await meter('tracking', other)).toEqual({ counted: 1, passed: 0, percent: 0, isMet: false });
});

test('a parcel is not counted if it has no fulfillment or no code, or if it was just reported, was replaced or is too old', async () => {
  await addParcel(shop, 10, 9.5);
  await addParcel(shop, 10, 5, { isFulfilled: false });
  await addParcel(shop, 10, 5, { code: '' });
  await addParcel(shop, 0.9, null);
  await addParcel(shop, 10, 5, { replacedAt: hoursAgo(4) });
  await addParcel(shop, 31 * 24, 25 * 24);
  expect(await meter('tracking')).toEqual({ counted: 1, passed: 1, percent: 100, isMet: true });
});

test('a fulfillment request is on time if it is answered within 24 hours of Platen seeing it', async () => {
  await addEntry(shop, 'accepted', 100, 'at once');
  const order = (await addOrder(app, shop)).id;
  await addEntry(shop, 'request_waits', 90, 'in time', order);
  await addEntry(shop, 'rejected', 66, 'in time', order);
  await addEntry(shop, 'request_waits', 90, 'late', order);
  await addEntry(shop, 'accepted', 65.9, 'late', order);
  await addEntry(shop, 'request_waits', 24.1, 'open for too long', order);
  await addEntry(shop, 'request_waits', 23.9, 'still open', order);
  await addEntry(other, 'accepted', 1, 'of another shop');
  expect(await meter('requests')).toEqual({ counted: 4, passed: 2, percent: 50, isMet: false });
  expect(await meter('cancellations')).toEqual(NOTHING);
  expect(await meter('requests', other)).toEqual({ counted: 1, passed: 1, percent: 100, isMet: true });
});

test('webhooks and fulfillment callbacks share one meter, which excludes print events', async () => {
  await receive(2, (counts) => {
    for (const kind of ['webhook', 'callback'] as const)
      for (const isAnswered of [true, true, false]) counts.note({ kind, shop: shop.domain, isAnswered });
    counts.note({ kind: 'event', shop: shop.id, isAnswered: false });
    counts.note({ kind: 'webhook', shop: other.domain, isAnswered: true });
  });
  await receive(31 * 24, (counts) => counts.note({ kind: 'webhook', shop: shop.domain, isAnswered: false }));
  expect(await meter('callbacks')).toEqual({ counted: 6, passed: 4, percent: 66.6, isMet: false });
  expect(await meter('callbacks', other)).toEqual({ counted: 1, passed: 1, percent: 100, isMet: true });
});

test('a rate request counts as fast if it takes at most 500 ms, and the meters show the time within which 95 % are answered', async () => {
  await receive(3, (counts) => {
    for (const milliseconds of [500, 80, 80, 501])
      counts.note({ kind: 'rates', shop: shop.id, isAnswered: true, milliseconds });
  });
  expect(await meter('fastRates')).toEqual({ counted: 4, passed: 3, percent: 75, isMet: false });
  expect((await readMeters(app, shop)).ratesWithinMs).toBe(750);
});
