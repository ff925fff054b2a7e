import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { Packages } from '../../../src/database/entities/packages.ts';
import { followWaitingEvents } from '../../../src/orders/follow/follow-waiting-events.ts';
import { followPrintOrder } from '../../../src/orders/follow/follow-print-order.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../shipments/test-shop.ts';
import { checkOnArrival, printTwoLines, shipAtService, trackingOf } from './at-service.ts';

const TWO_PACKAGES = [
  { code: 'CODE-1', skus: ['POSTER-13X18'] },
  { code: 'CODE-2', skus: ['MUG-11OZ'] },
];

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  await shop.set({ extendedCalls: true });
});
afterAll(() => shop.close());

describe('print events that are handled by reading their print order', () => {
  const eventsOf = ({ printOrder }: ShippedOrder) =>
    shop.app.db.manager.find(Deliveries, { where: { printOrderId: printOrder.id }, order: { id: 'ASC' } });

  test("one read handles several events of a print order, and its response confirms the events' tracking codes", async () => {
    const order = await printTwoLines(shop);
    for (const event of await shipAtService(shop, order, TWO_PACKAGES)) await checkOnArrival(shop, event);
    expect(await readJobPayloads(shop.app.db, 'follow_print_order')).toHaveLength(1);
    await shop.runJobs();
    const events = await eventsOf(order);
    expect(events.length).toBeGreaterThan(2);
    for (const event of events) expect(event).toMatchObject({ result: 'handled', handledAt: expect.any(Date) });
    const packages = await shop.app.db.manager.findBy(Packages, { printOrderId: order.printOrder.id });
    expect(packages.map(({ confirmedAt }) => confirmedAt)).toEqual([expect.any(Date), expect.any(Date)]);
  });

  test('events wait while reads of the service fail, and are handled afterward', async () => {
    const order = await printTwoLines(shop);
    const events = await shipAtService(shop, order, TWO_PACKAGES);
    for (const event of events) await checkOnArrival(shop, event);
    await shop.inPrint('/faults', [{ method: 'GET', rate: 1, kind: 'status', status: 503 }]);
    await followPrintOrder(shop.app, { printOrderId: order.printOrder.id });
    await shop.inPrint('/faults', []);
    const waiting = await eventsOf(order);
    expect(waiting.length).toBeGreaterThan(2);
    for (const event of waiting) expect(event.result).toBeNull();
    await shop.runJobs();
    expect((await eventsOf(order)).map(({ result }) => result)).toEqual(waiting.map(() => 'handled'));
  });

  test('events are handled by a later pass if their job ended without a read', async () => {
    const order = await printTwoLines(shop);
    await checkOnArrival(shop, trackingOf(order));
    const { db } = shop.app;
    const forget = () => db.query('delete from graphile_worker._private_jobs');
    const pass = () => followWaitingEvents(shop.app);
    await db.query(`update deliveries set received_at = now() - interval '2 minutes'`);
    // The job for the events is still waiting.
    expect(await pass()).toMatchObject({ found: 0 });
    await forget();
    await db.query(`update shops set state = 'needs_sign_in'`);
    expect(await pass()).toMatchObject({ found: 0 });
    await db.query(`update shops set state = 'installed'`);
    expect(await pass()).toMatchObject({ found: 1 });
    expect(await readJobPayloads(db, 'follow_print_order')).toEqual([{ printOrderId: order.printOrder.id }]);
    await shop.runJobs();
    expect(await eventsOf(order)).toMatchObject([{ result: 'handled' }]);
    expect(await pass()).toMatchObject({ found: 0 });
  });
});
