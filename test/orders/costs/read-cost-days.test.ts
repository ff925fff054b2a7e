import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { readCostDays } from '../../../src/orders/costs/read-cost-days.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCosts } from './add-costs.ts';
import { atTime } from '../../helpers/at-time.ts';

const NONE = { printOrders: 0, paid: '0.00', charged: '0.00', margin: '0.00' };
/** The current time in these tests: noon UTC, the time of day at which all orders are confirmed. */
const NOON = new Date('2026-11-30T12:00:00Z');

let opened: TestApp;
let app: TestApp;
beforeAll(async () => {
  opened = await openTestApp();
  app = atTime(opened, () => NOON);
});
afterAll(() => opened.close());

/** Returns only the days that have print orders. */
async function daysOf(shop: Shop) {
  const { days } = await readCostDays(app, shop);
  return days.filter(({ printOrders }) => printOrders > 0);
}

test('costs and margins are added up for each of the last 30 days, and unknown margins are counted', async () => {
  const [shop, other] = [await addShop(app.db), await addShop(app.db)];
  await addCosts(app, shop, 1, 12, 30);
  await addCosts(app, shop, 2, 30.5, 30);
  await addCosts(app, shop, 3, 10, 29);
  await addCosts(app, shop, 4, null, 29);
  await addCosts(app, other, 5, 1, 30);
  const { days, ...rest } = await readCostDays(app, shop);
  expect(rest).toEqual({
    currency: 'USD',
    otherCurrencies: [],
    total: { printOrders: 3, paid: '75.00', charged: '52.50', margin: '22.50' },
    unknown: 1,
    isWhole: true,
  });
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ day: '2026-11-01', ...NONE });
  expect(days.slice(-3)).toEqual([
    { day: '2026-11-28', ...NONE },
    { day: '2026-11-29', printOrders: 1, paid: '25.00', charged: '10.00', margin: '15.00' },
    { day: '2026-11-30', printOrders: 2, paid: '50.00', charged: '42.50', margin: '7.50' },
  ]);
});

test('days begin and end at midnight in the shop’s time zone', async () => {
  const ahead = { ...(await addShop(app.db)), timeZone: 'Pacific/Kiritimati' };
  await addCosts(app, ahead, 11, 12, 30);
  await addCosts(app, ahead, 12, 12, 1);
  // At noon in UTC, the clocks there already show the next day.
  expect((await daysOf(ahead)).map(({ day }) => day)).toEqual(['2026-11-02', '2026-12-01']);
  const behind = { ...(await addShop(app.db)), timeZone: 'Pacific/Honolulu' };
  await addCosts(app, behind, 13, 12, 1);
  expect((await daysOf(behind)).map(({ day }) => day)).toEqual(['2026-11-01']);
  const before = { ...behind, timeZone: 'Pacific/Kiritimati' };
  await addCosts(app, before, 14, 12, 0);
  expect((await daysOf(before)).map(({ day }) => day)).toEqual(['2026-11-02']);
});

test('if print orders have several currencies, the sums use the most frequent currency, and the other currencies are named', async () => {
  const shop = await addShop(app.db);
  await addCosts(app, shop, 21, 12, 30, 'EUR');
  await addCosts(app, shop, 22, 12, 29, 'EUR');
  await addCosts(app, shop, 23, 12, 29);
  const { currency, otherCurrencies, total } = await readCostDays(app, shop);
  expect({ currency, otherCurrencies, total }).toEqual({
    currency: 'EUR',
    otherCurrencies: ['USD'],
    total: { printOrders: 2, paid: '50.00', charged: '24.00', margin: '26.00' },
  });
});
