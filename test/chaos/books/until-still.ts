import { setTimeout as delay } from 'node:timers/promises';
import { byOrder, holdCodesOf, type OrderBooks } from './order-books.ts';
import type { PlacedOrder } from '../orders/planned-order.ts';
import { readBooks, readStandIns, type Books } from './read-books.ts';
import { say } from '../say.ts';
import type { Stage } from '../stage/stage.ts';
import { inProgressReason } from './in-progress-reason.ts';

const PAUSE_MS = 2_000;
/** The books of thousands of orders are long. Reading them takes at most one part in this many of the time. */
const READING_PARTS = 6;
/**
 * The run counts as finished once nothing has changed for this long. The time is longer than a late effect, a search lag and a poll
 * interval combined.
 */
const STILL_MS = 6_000;
const REASONS_SHOWN = 3;

/**
 * Waits until no order is in progress, no draft is left and no webhook is pending for a while. Waits at most `limitMs`. Returns the
 * number of orders that are still in progress.
 */
export async function untilStill(
  stage: Stage,
  placed: readonly PlacedOrder[],
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<number> {
  const shops = [...new Set(placed.map(({ shop }) => shop))];
  const end = Date.now() + limitMs;
  let before = '';
  let stillSince = Date.now();
  for (;;) {
    const begun = Date.now();
    const now = sign(await readStandIns(stage), await countPending(stage));
    if (now !== before) stillSince = Date.now();
    before = now;
    const readMs = Date.now() - begun;
    const isOver = Date.now() >= end;
    // Reading the app's orders starts a process for each shop, so the orders are read only once the stand-ins' books no longer change.
    if (isOver || Date.now() - stillSince >= STILL_MS) {
      const orders = byOrder(await readBooks(stage, shops), placed);
      const { moving, drafts } = describeMoving(orders);
      const webhooks = await countPending(stage);
      if (moving.length === 0 && drafts === 0 && webhooks === 0) return 0;
      for (const line of moving.slice(0, isOver ? moving.length : REASONS_SHOWN)) say(`in progress: ${line}`);
      say(`${moving.length} orders in progress, ${drafts} drafts left, ${webhooks} webhooks pending`);
      if (isOver) return moving.length;
    }
    await delay(Math.max(PAUSE_MS, readMs * (READING_PARTS - 1)), undefined, { signal });
  }
}

function describeMoving(orders: readonly OrderBooks[]): { moving: string[]; drafts: number } {
  const moving = orders.flatMap((order) => {
    const why = inProgressReason(order);
    return why === null ? [] : [`${order.placed.shop.split('.')[0]} ${order.placed.name} ${why}`];
  });
  // A held order's draft may remain unconfirmed as long as the order is held.
  const drafts = orders.flatMap((order) => (holdCodesOf(order).length > 0 ? [] : order.drafts));
  return { moving, drafts: drafts.length };
}

/** Summarizes everything in the stand-ins' books that changes while orders are in progress. */
function sign({ print, store }: Omit<Books, 'listed'>, pending: number): string {
  return JSON.stringify([
    pending,
    print.map(({ id, orderType, fulfillmentStatus, deleted }) => [id, orderType, fulfillmentStatus, deleted]),
    store.map(({ id, cancelledAt, fulfillments, fulfillmentOrders }) => [
      id,
      cancelledAt,
      fulfillments.map(({ trackingCodes, notifications }) => [trackingCodes, notifications]),
      fulfillmentOrders.map(({ status, requestStatus }) => [status, requestStatus]),
    ]),
  ]);
}

/** Counts the store webhooks that are waiting for a retry. */
async function countPending(stage: Stage): Promise<number> {
  const { pending } = (await stage.control('store', 'GET', '/webhooks')) as { pending: Record<string, number> };
  return Object.values(pending).reduce((sum, count) => sum + count, 0);
}
