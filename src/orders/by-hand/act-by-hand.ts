import { QueryFailedError } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { approveOrder } from './approve-order.ts';
import { cancelOrder } from './cancel-order.ts';
import { closeOrder } from './close-order.ts';
import { continueOrder } from './continue-order.ts';
import { findOrder, findPrintOrders } from './find-order.ts';
import type { ActByHand, Speaker } from './hand-scope.ts';
import type { Action } from './hold-actions.ts';
import { holdOrder } from './hold-order.ts';
import { printAgain } from './print-again.ts';
import { retryOrder } from './retry-order.ts';

const MOST_TRIES = 3;

const ACTS: Record<Action, ActByHand> = {
  approve: approveOrder,
  hold: holdOrder,
  retry: retryOrder,
  cancel: cancelOrder,
  'print-again': printAgain,
  continue: continueOrder,
  close: closeOrder,
};

/** What a person asks for. */
export interface AskedByHand {
  /** The order's name such as `#1001`, its GID or its digits. */
  order: string;
  action: Action;
  /** The reference of the one print order that is meant; null: the order as a whole. */
  printOrder: string | null;
  by: Speaker;
}

/** What was done, in sentences for who asked. */
export interface DoneByHand {
  orderId: string;
  name: string;
  action: Action;
  done: string[];
}

/**
 * Does with an order of this shop what a person asks for; asked twice it does no more. What follows runs in the order's own queue.
 * Throws NotFoundError, and NotPossibleError where it makes no sense in the order's state.
 */
export async function actByHand(
  app: App,
  shop: Shop,
  { order, action, printOrder, by }: AskedByHand,
): Promise<DoneByHand> {
  const found = await findOrder(app, shop, order);
  // The first plan takes the name from the store.
  const storefrontOrder = { ...found, name: found.name || `order ${found.shopifyOrderId.split('/').at(-1)}` };
  const printOrders = await findPrintOrders(app, storefrontOrder, printOrder);
  const scope = { app, shop, storefrontOrder, printOrders, isOneNamed: printOrder !== null, by };
  const done = await unlessDeadlocked(() => ACTS[action](scope));
  return { orderId: storefrontOrder.shopifyOrderId, name: storefrontOrder.name, action, done };
}

/** Jobs of the order lock its rows in an order of their own: who was chosen to give way does it once more. */
async function unlessDeadlocked<Result>(run: () => Promise<Result>, tries = MOST_TRIES): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isDeadlock = error instanceof QueryFailedError && 'code' in error && error.code === '40P01';
    if (!isDeadlock || tries <= 1) throw error;
    return unlessDeadlocked(run, tries - 1);
  }
}
