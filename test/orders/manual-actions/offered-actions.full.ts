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
} satisfies Record<string, Partial<PrintOrder>>;

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

/**
 * Adds a held order. If its hold offers the action "close", the order is already fulfilled in the store, so that only the state of the
 * print order determines whether the action is accepted.
 */
async function addHeld(code: HoldCode, standing: Partial<PrintOrder>): Promise<ShippedOrder> {
  const order = await shop.ordered({ [SKU]: 1 });
  const { id, shopId, storefrontOrderId } = order.printOrder;
  const { manager } = shop.app.db;
  await manager.update(PrintOrders, { id }, standing as never);
  if (listActionsFor(code).includes('close')) {
    const [line] = await shop.openLines(order.orderId);
    await shop.fulfillByHand(line?.fulfillmentOrderId ?? '');
  }
  if (code === 'service_failed' || code === 'service_canceled')
    await manager.update(PrintOrderLines, { printOrderId: id }, { serviceStatus: 'failed' });
  await manager.insert(Holds, { shopId, storefrontOrderId, printOrderId: id, code, message: 'It waits.' });
  return order;
}

/** Tries the action on the whole order first, then on its print order. */
async function isAccepted({ orderId, printOrder: { reference } }: ShippedOrder, action: Action): Promise<boolean> {
  for (const printOrder of [null, reference]) {
    try {
      await performManualAction(shop.app, shop.shop, { order: orderId, action, printOrder, by: 'merchant' });
      return true;
    } catch (error) {
      if (!(error instanceof NotPossibleError)) throw error;
    }
  }
  return false;
}

test.each(holdCodes.flatMap((code) => Object.entries(STANDINGS).map(([title, row]) => [code, title, row] as const)))(
  'a hold with the code %s on a print order that is %s offers exactly the accepted actions',
  async (code, _, standing) => {
    const { app } = shop;
    const { orderId } = await addHeld(code, standing);
    const { holds } = await showOrder(app, await findOrder(app, shop.shop, orderId));
    const accepted: Action[] = [];
    for (const action of listActionsFor(code))
      if (await isAccepted(await addHeld(code, standing), action)) accepted.push(action);
    expect(holds).toMatchObject([{ code, actions: accepted }]);
    expect(accepted).not.toEqual([]);
  },
);
