import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { NotPossibleError } from '../../../src/errors.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { listActionsFor, type Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { holdCodes, type HoldCode } from '../../../src/orders/facts/hold-codes.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../shipments/test-shop.ts';

const SKU = 'POSTER-13X18';
const STANDINGS = {
  unsent: { state: 'held', confirmStartedAt: null, confirmedAt: null, shippedAt: null },
  sent: { state: 'submitted', shippedAt: null },
  failed: { state: 'failed', shippedAt: null },
  shipped: { state: 'shipped' },
} satisfies Record<string, Partial<PrintOrder>>;
type Standing = keyof typeof STANDINGS;

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

/** Adds a held order for these products. If its hold is about a failed item, only the first product has failed. */
async function addHeld(code: HoldCode, standing: Standing, units: Record<string, number>): Promise<ShippedOrder> {
  const order = await shop.ordered(units);
  const { id, shopId, storefrontOrderId } = order.printOrder;
  const { manager } = shop.app.db;
  await manager.update(PrintOrders, { id }, STANDINGS[standing]);
  if (code === 'service_failed' || code === 'service_canceled')
    await manager.update(PrintOrderLines, { printOrderId: id, sku: SKU }, { serviceStatus: 'failed' });
  await manager.insert(Holds, { shopId, storefrontOrderId, printOrderId: id, code, message: 'It waits.' });
  return order;
}

/** Tries an action on the whole order or on its print order. Returns whether it was possible. */
async function act({ orderId }: ShippedOrder, action: Action, printOrder: string | null): Promise<boolean> {
  try {
    await performManualAction(shop.app, shop.shop, { order: orderId, action, printOrder, by: 'merchant' });
    return true;
  } catch (error) {
    if (error instanceof NotPossibleError) return false;
    throw error;
  }
}

/**
 * Adds a held order for one product. If its hold offers the action "close", the order is already fulfilled in the store, so that only the
 * state of the print order determines whether the action is accepted.
 */
async function addClosable(code: HoldCode, standing: Standing): Promise<ShippedOrder> {
  const order = await addHeld(code, standing, { [SKU]: 1 });
  if (!listActionsFor(code).includes('close')) return order;
  const [line] = await shop.openLines(order.orderId);
  await shop.fulfillByHand(line?.fulfillmentOrderId ?? '');
  return order;
}

test.each(holdCodes.flatMap((code) => (['unsent', 'sent', 'failed'] as const).map((one) => [code, one] as const)))(
  'a hold with the code %s on a print order that is %s offers exactly the accepted actions',
  async (code, standing) => {
    const { app } = shop;
    const { orderId } = await addClosable(code, standing);
    const { holds } = await showOrder(app, await findOrder(app, shop.shop, orderId));
    const accepted: Action[] = [];
    for (const action of listActionsFor(code)) {
      const order = await addClosable(code, standing);
      const isAccepted = (await act(order, action, null)) || (await act(order, action, order.printOrder.reference));
      if (isAccepted) accepted.push(action);
    }
    expect(holds).toMatchObject([{ code, actions: accepted }]);
    expect(accepted).not.toEqual([]);
  },
);
