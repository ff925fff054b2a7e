import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { nextDailyRelease } from '../../../src/orders/plan/decide/next-daily-release.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { shippedOf } from '../follow/place-at-service.ts';
import { printOrdersOf } from '../submit/submit-helpers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RELEASE_AT = '18:00';

let platen: Platen;
beforeAll(async () => {
  const settings = { delayMinutes: 120, release: 'daily', dailyReleaseAt: RELEASE_AT, retentionDays: 7 };
  platen = await startPlaten({ advanceSeconds: null, environment: { POLL_SECONDS: '43200' }, settings });
});
afterAll(() => platen.stop());

const now = (): number => platen.app.clock.now().getTime();
const countPrinted = (orders: PlacedOrder[]): Promise<number[]> =>
  Promise.all(orders.map(async ({ name }) => (await platen.printedFor(name)).length));
const codesOf = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds.map(({ code }) => code);
const hasRecipient = async (order: PlacedOrder): Promise<boolean[]> =>
  (await printOrdersOf(platen, order)).map(({ recipientEncrypted }) => recipientEncrypted !== null);

/** Lets time pass until the next daily release. Expects that the orders are printed then, and not earlier. */
async function untilReleased(orders: PlacedOrder[], earliest: number): Promise<void> {
  const releaseAt = nextDailyRelease(new Date(earliest), RELEASE_AT, platen.shop.timeZone).getTime();
  await platen.pass(releaseAt - now() - 1_000);
  expect(await countPrinted(orders)).toEqual(orders.map(() => 0));
  await platen.pass(HOUR);
  expect(await countPrinted(orders)).toEqual(orders.map(() => 1));
}

async function ship(order: PlacedOrder, within = HOUR): Promise<void> {
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await platen.pass(within);
  expect((await platen.listed(order.id)).state).toBe('fulfilled');
  expect(await shippedOf(platen, { order })).toMatchObject([{ codes: [expect.any(String)], mails: 1 }]);
}

test('an order waits for its delay and the daily release, is held after 14 days without progress, and its data is erased 7 days after it ships', async () => {
  const [realStart, start] = [performance.now(), now()];
  const shipped = await platen.placeSkus({ 'MUG-11OZ': 1 });
  const stalled = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const unpaid = await platen.placeSkus({ 'POSTER-13X18': 1 }, { financialStatus: 'pending' });
  await platen.pass(HOUR);
  expect((await platen.listed(stalled.id)).state).toBe('waiting');
  await untilReleased([shipped, stalled], start + 2 * HOUR);
  const stalledSince = now();
  expect(await countPrinted([unpaid])).toEqual([0]);
  const paidAt = now();
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(unpaid.id)}/pay`, {});
  await untilReleased([unpaid], paidAt);
  const row = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: unpaid.id });
  // The store's times are in whole seconds.
  expect(Math.abs((row.paidAt?.getTime() ?? 0) - paidAt)).toBeLessThanOrEqual(1_000);
  await ship(shipped);
  await ship(unpaid);

  await platen.pass(6 * DAY);
  expect([await hasRecipient(shipped), await hasRecipient(unpaid)]).toEqual([[true], [true]]);
  await platen.pass(2 * DAY);
  expect([await hasRecipient(shipped), await hasRecipient(unpaid)]).toEqual([[false], [false]]);

  await platen.pass(stalledSince + 13.5 * DAY - now());
  expect(await codesOf(stalled)).toEqual([]);
  await platen.pass(DAY);
  expect(await codesOf(stalled)).toEqual(['no_progress']);
  expect(await hasRecipient(stalled)).toEqual([true]);
  // The next poll releases the hold.
  await ship(stalled, DAY);
  expect(await codesOf(stalled)).toEqual([]);
  expect(await countPrinted([shipped, stalled, unpaid])).toEqual([1, 1, 1]);
  // Time passes only while nothing else can happen, so a day takes no longer than the work of that day.
  expect((now() - start) / (performance.now() - realStart)).toBeGreaterThan(1_000);
});
