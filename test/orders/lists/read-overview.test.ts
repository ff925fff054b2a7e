import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { listOrdersPage } from '../../../src/orders/lists/list-orders.ts';
import { readOverview } from '../../../src/orders/lists/read-overview.ts';
import { addOrder, addPrintOrder } from '../add-rows.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

test('open holds are grouped by reason, and the reason with the oldest hold comes first', async () => {
  const shop = await addShop(app.db);
  const hold = async (number: number, code: string, hoursAgo: number): Promise<void> => {
    const { id: storefrontOrderId } = await addOrder(app, shop, { name: `#${number}` });
    const createdAt = new Date(app.clock.now().getTime() - hoursAgo * HOUR_MS);
    await app.db.manager.insert(Holds, { shopId: shop.id, storefrontOrderId, code, message: code, createdAt });
  };
  await hold(1, 'high_risk', 2);
  await hold(2, 'address_missing', 5);
  await hold(3, 'high_risk', 1);
  const { holds } = await readOverview(app, shop);
  expect(holds.map(({ code, orders, name }) => [code, orders, name])).toEqual([
    ['address_missing', 1, '#2'],
    ['high_risk', 2, '#1'],
  ]);
  expect((await readOverview(app, await addShop(app.db))).holds).toEqual([]);
});

test('orders are counted on the day on which they were placed in the shop’s time zone', async () => {
  const shop = { ...(await addShop(app.db)), timeZone: 'Pacific/Auckland' };
  const now = new Date('2026-11-20T12:00:00Z');
  await addOrder(app, shop, { placedAt: new Date('2026-11-20T10:59:00Z') });
  await addOrder(app, shop, { placedAt: new Date('2026-11-20T11:01:00Z') });
  await addOrder(app, shop, { placedAt: new Date('2026-10-01T00:00:00Z') });
  const { days } = await readOverview(
    atTime(app, () => now),
    shop,
  );
  expect(days).toHaveLength(30);
  expect(days.slice(-2)).toEqual([
    { day: '2026-11-20', states: { waiting: 1 } },
    { day: '2026-11-21', states: { waiting: 1 } },
  ]);
  expect(days.filter(({ states }) => Object.keys(states).length > 0)).toHaveLength(2);
});

test('an order that was refunded on its way counts as shipped, as the list of orders shows it', async () => {
  const shop = await addShop(app.db);
  const order = await addOrder(app, shop, { outcome: 'nothing_to_do', outcomeReason: 'refunded' });
  await addPrintOrder(app, order, { state: 'fulfilled', confirmedAt: app.clock.now() });
  const { days } = await readOverview(app, shop);
  expect(days.flatMap(({ states }) => Object.entries(states))).toEqual([['shipped', 1]]);
  const { orders } = await listOrdersPage(app, shop, { state: 'shipped', after: null });
  expect(orders).toMatchObject([{ name: '#1', state: 'nothing_to_do', label: 'shipped' }]);
});

test('times are measured from the payment, and grouped by its day in the shop’s time zone', async () => {
  const shop = { ...(await addShop(app.db)), timeZone: 'Pacific/Auckland' };
  const now = new Date('2026-11-20T12:00:00Z');
  const placedAt = new Date('2026-11-15T10:00:00Z');
  const add = async (paidAt: Date | null, confirmedAt: Date): Promise<void> => {
    await addPrintOrder(app, await addOrder(app, shop, { placedAt, paidAt }), { state: 'submitted', confirmedAt });
  };
  await add(new Date('2026-11-18T11:01:00Z'), new Date('2026-11-18T11:11:00Z'));
  await add(null, new Date('2026-11-15T10:05:00Z'));
  // A payment for items that were added to the order later.
  await add(new Date('2026-11-18T12:00:00Z'), new Date('2026-11-18T11:59:00Z'));
  const { times } = await readOverview(
    atTime(app, () => now),
    shop,
  );
  expect(times).toEqual({
    toPrint: { median: 300, p95: expect.closeTo(570) as number },
    toShipment: null,
    days: [
      { day: '2026-11-15', toPrint: { median: 300, p95: 300 }, toShipment: null },
      { day: '2026-11-19', toPrint: { median: 300, p95: expect.closeTo(570) as number }, toShipment: null },
    ],
  });
});
