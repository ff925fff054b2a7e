import type { App } from '../../app.ts';
import { readErrorCode } from '../../database/error-code.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { approveOrder } from './approve-order.ts';
import { cancelOrder } from './cancel-order.ts';
import { closeOrder } from './close-order.ts';
import { continueOrder } from './continue-order.ts';
import { findOrder, findPrintOrders, withName } from './find-order.ts';
import { readOpenHolds, type Actor, type ManualAction } from './manual-action-scope.ts';
import { listActionsFor, type Action } from './hold-actions.ts';
import { holdOrder } from './hold-order.ts';
import { printAgain } from './print-again.ts';
import { retryOrder } from './retry-order.ts';

const MAX_TRIES = 3;
const FOREIGN_KEY_VIOLATION = '23503';

const ACTS: Record<Action, ManualAction> = {
  approve: approveOrder,
  hold: holdOrder,
  retry: retryOrder,
  cancel: cancelOrder,
  'print-again': printAgain,
  continue: continueOrder,
  close: closeOrder,
};

/** An action that the merchant or an operator requested. */
export interface ManualActionRequest {
  /** The order's name such as `#1001`, its GID or its digits. */
  order: string;
  action: Action;
  /** The reference of one print order. Null for the whole order. */
  printOrder: string | null;
  by: Actor;
}

export interface ManualActionResult {
  orderId: string;
  name: string;
  action: Action;
  /** Sentences that describe what was done. */
  done: string[];
  /** The messages of the holds for which an approved order stays on hold, because an approval does not resolve them. */
  stillHeld: string[];
}

/**
 * Performs an action on one of the shop's orders. Safe to repeat. The resulting jobs run in the order's queue. Throws NotFoundError, and
 * NotPossibleError if the action is impossible in the order's state.
 */
export async function performManualAction(
  app: App,
  shop: Shop,
  request: ManualActionRequest,
  tries = MAX_TRIES,
): Promise<ManualActionResult> {
  const { order, action, printOrder, by } = request;
  const storefrontOrder = withName(await findOrder(app, shop, order));
  const printOrders = await findPrintOrders(app, storefrontOrder, printOrder);
  const scope = { app, shop, storefrontOrder, printOrders, isOneNamed: printOrder !== null, by };
  const done = await ACTS[action](scope).catch((error: unknown) => {
    // A job deletes the row of an order that the store does not have, and a webhook may add it again at any time.
    if (readErrorCode(error) === FOREIGN_KEY_VIOLATION && tries > 1) return null;
    throw error;
  });
  if (done === null) return performManualAction(app, shop, request, tries - 1);
  const holds = action === 'approve' ? await readOpenHolds(scope, app.db.manager) : [];
  const others = holds.filter(({ code }) => !listActionsFor(code).includes('approve'));
  const stillHeld = [...new Set(others.map(({ message }) => message))];
  return { orderId: storefrontOrder.shopifyOrderId, name: storefrontOrder.name, action, done, stillHeld };
}
