import { setTimeout as delay } from 'node:timers/promises';
import type { PlacedOrder } from '../orders/planned-order.ts';
import { readStandIns } from './read-books.ts';
import type { Stage } from '../stage/stage.ts';

/** The books of thousands of orders are long, and reading them takes CPU time away from the run. */
const PAUSE_MS = 5_000;
const MOST = 0.9;

/**
 * Waits until most orders have reached the print service, but no longer than `limitMs`. On a slow machine, orders are sent long after
 * they are placed, and the faults must still be active at that time.
 */
export async function untilMostSent(
  stage: Stage,
  placed: readonly PlacedOrder[],
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<void> {
  const wanted = placed.filter(({ change }) => change === null).map(({ buyer }) => buyer);
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const { print } = await readStandIns(stage);
    const sent = new Set(print.map(({ shippingAddress }) => shippingAddress.lastName));
    if (wanted.filter((buyer) => sent.has(buyer)).length >= MOST * wanted.length) return;
    await delay(PAUSE_MS, undefined, { signal });
  }
}
