import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Holds, TimelineEntries } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { holdStalledOrders } from '../../../src/orders/follow/hold-stalled-orders.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

const DAY = 24 * 3600;

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());
beforeEach(async () => {
  shop.resetClock();
  await shop.app.db.query(`update print_orders set state = 'fulfilled'`);
});

/**
 * Adds a print order that was just confirmed and that is in production according to its row. The print order does not exist at the
 * stand-in.
 */
async function addPrintOrderInProduction(set: Partial<PrintOrder> = {}): Promise<ShippedOrder> {
  const order = await shop.ordered({ 'POSTER-13X18': 1 });
  const printing = { state: 'in_production', shippedAt: null, ...set } as const;
  await shop.app.db.manager.update(PrintOrders, { id: order.printOrder.id }, printing as never);
  return order;
}

const openHolds = async (printOrderId: string): Promise<string[]> =>
  (await shop.app.db.manager.findBy(Holds, { printOrderId }))
    .filter(({ resolvedAt }) => resolvedAt === null)
    .map(({ code }) => code);

describe('print orders without progress at the print service', () => {
  test('a stalled print order is held after 14 days, and again 14 days after the merchant chooses to wait', async () => {
    const { printOrder, orderId } = await addPrintOrderInProduction();
    const { id: printOrderId, reference } = printOrder;
    shop.later(13.9 * DAY);
    expect(await holdStalledOrders(shop.app)).toEqual({ found: 0, fixed: 0 });
    shop.later(0.2 * DAY);
    expect(await holdStalledOrders(shop.app)).toEqual({ found: 1, fixed: 1 });
    expect(await holdStalledOrders(shop.app)).toEqual({ found: 0, fixed: 0 });
    expect(await openHolds(printOrderId)).toEqual(['no_progress']);
    const held = await shop.app.db.manager.findBy(TimelineEntries, { printOrderId, kind: 'held' });
    expect(held.map(({ message }) => message)).toEqual([
      `${reference} is held: ${reference} has made no progress at the print service for 14 days.`,
    ]);

    const retry = { order: orderId, action: 'retry', printOrder: null, by: 'merchant' } as const;
    const { done } = await performManualAction(shop.app, shop.shop, retry);
    expect(done.join(' ')).toContain(`${reference} waits 14 more days for the print service.`);
    shop.later(13.9 * DAY);
    await holdStalledOrders(shop.app);
    expect(await openHolds(printOrderId)).toEqual([]);
    shop.later(0.2 * DAY);
    await holdStalledOrders(shop.app);
    expect(await openHolds(printOrderId)).toEqual(['no_progress']);
  });

  test('a new status from the print service releases a stalled print order and restarts the 14 days', async () => {
    const { app } = shop;
    const { storefrontOrder, printOrder } = await buyPlanned(shop);
    const { id: printOrderId } = printOrder;
    const tasks = toTasks(app);
    await tasks.quote_order({ storefrontOrderId: storefrontOrder.id });
    await tasks.submit_print_order({ printOrderId });
    const { serviceOrderId } = await app.db.manager.findOneByOrFail(PrintOrders, { id: printOrderId });
    await tasks.follow_print_order({ printOrderId });
    shop.later(14.1 * DAY);
    await tasks.follow_print_order({ printOrderId });
    await holdStalledOrders(app);
    const looks = await openHolds(printOrderId);
    await shop.inPrint(`/orders/${serviceOrderId}/advance`, { to: 'in_production' });
    await tasks.follow_print_order({ printOrderId });
    expect(await holdStalledOrders(app)).toMatchObject({ found: 1 });
    expect([looks, await openHolds(printOrderId)]).toEqual([['no_progress'], []]);
    shop.later(13.9 * DAY);
    await tasks.follow_print_order({ printOrderId });
    await holdStalledOrders(app);
    expect(await openHolds(printOrderId)).toEqual([]);
    shop.later(0.2 * DAY);
    await holdStalledOrders(app);
    expect(await openHolds(printOrderId)).toEqual(['no_progress']);
  });

  test.each([
    ['its cancellation was requested', { cancelRequestedAt: new Date() }, 'its printing is canceled'],
    ['it failed', { state: 'failed' }, 'it has ended at the print service'],
    ['it was shipped', { state: 'shipped' }, 'it is making progress at the print service'],
  ] as const)('a stalled print order is released, and the timeline states the reason, once %s', async (_, set, why) => {
    const { printOrder } = await addPrintOrderInProduction();
    const { id: printOrderId, reference } = printOrder;
    const { manager } = shop.app.db;
    shop.later(14.1 * DAY);
    await holdStalledOrders(shop.app);
    await manager.update(PrintOrders, { id: printOrderId }, set);
    await holdStalledOrders(shop.app);
    expect(await openHolds(printOrderId)).toEqual([]);
    expect(await manager.findBy(TimelineEntries, { printOrderId, kind: 'hold_resolved' })).toMatchObject([
      { message: `${reference} is no longer held: ${why}.` },
    ]);
  });

  test.each<[string, (order: ShippedOrder) => Promise<unknown>]>([
    ['a part of the print order was shipped recently', (order) => shop.ship(order, 'CODE-1', ['POSTER-13X18'])],
    [
      'another hold already needs a person',
      ({ printOrder: { id: printOrderId, shopId, storefrontOrderId } }) =>
        shop.app.db.manager.insert(Holds, {
          printOrderId,
          shopId,
          storefrontOrderId,
          code: 'service_on_hold',
          message: 'It waits.',
        }),
    ],
  ])('a print order is not held as stalled if %s', async (_, prepare) => {
    const order = await addPrintOrderInProduction();
    shop.later(14.1 * DAY);
    await prepare(order);
    expect(await holdStalledOrders(shop.app)).toMatchObject({ fixed: 0 });
    expect(await openHolds(order.printOrder.id)).not.toContain('no_progress');
  });
});
