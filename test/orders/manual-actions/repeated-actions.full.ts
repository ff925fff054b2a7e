import { IsNull } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { NotPossibleError } from '../../../src/errors.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { listActionsFor, type Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { holdCodes, type HoldCode } from '../../../src/orders/facts/hold-codes.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../shipments/test-shop.ts';

const STANDINGS = {
  unsent: { state: 'held', confirmStartedAt: null, confirmedAt: null, shippedAt: null },
  shipped: { state: 'shipped' },
} satisfies Record<string, Partial<PrintOrder>>;

/** Several codes have the same actions, and their holds are treated alike. */
const SAME: readonly HoldCode[] = ['create_refused', 'no_progress', 'step_failing'];
const codes = holdCodes.filter((code) => SAME.includes(code) || listActionsFor(code).join() !== 'retry,cancel');

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

/** Adds a held order for two products. If its hold is about a failed item, the other item is not affected. */
async function addHeld(code: HoldCode, standing: Partial<PrintOrder>): Promise<ShippedOrder> {
  const order = await shop.ordered({ 'POSTER-13X18': 1, 'POSTER-30X40': 1 });
  const { id, shopId, storefrontOrderId } = order.printOrder;
  const { manager } = shop.app.db;
  await manager.update(PrintOrders, { id }, standing as never);
  if (code === 'service_failed' || code === 'service_canceled')
    await manager.update(PrintOrderLines, { printOrderId: id, sku: 'POSTER-13X18' }, { serviceStatus: 'failed' });
  await manager.insert(Holds, { shopId, storefrontOrderId, printOrderId: id, code, message: 'It waits.' });
  return order;
}

/** Tries an action as the order's page does. Returns whether it was possible. */
async function act({ orderId, printOrder: { reference } }: ShippedOrder, action: Action): Promise<boolean> {
  try {
    await performManualAction(shop.app, shop.shop, { order: orderId, action, printOrder: reference, by: 'merchant' });
    return true;
  } catch (error) {
    if (error instanceof NotPossibleError) return false;
    throw error;
  }
}

async function readState({ printOrder: { storefrontOrderId } }: ShippedOrder) {
  const { manager } = shop.app.db;
  const printOrders = await manager.find(PrintOrders, { where: { storefrontOrderId }, order: { id: 'ASC' } });
  const lines = await Promise.all(
    printOrders.map(({ id }) => manager.find(PrintOrderLines, { where: { printOrderId: id }, order: { id: 'ASC' } })),
  );
  const holds = await manager.findBy(Holds, { storefrontOrderId, resolvedAt: IsNull() });
  return { printOrders, lines, holds: holds.map(({ code }) => code) };
}

test.each(
  codes.flatMap((code) =>
    Object.entries(STANDINGS).flatMap(([title, row]) =>
      listActionsFor(code).map((action) => [action, code, title, row] as const),
    ),
  ),
)(
  'repeating the action "%s" for a hold with the code %s on a print order that is %s changes nothing',
  async (action, code, _, standing) => {
    const order = await addHeld(code, standing);
    if (!(await act(order, action))) return;
    const once = await readState(order);
    await act(order, action);
    expect(await readState(order)).toEqual(once);
  },
);
