import { setTimeout as delay } from 'node:timers/promises';
import { toAddressOf, toOtherAddressOf } from './addresses.ts';
import { planOrder, type OrderPlan } from './plan-order.ts';
import type { PlacedOrder } from './planned-order.ts';
import type { ChaosRandom } from './random.ts';
import type { StoreRecord } from '../books/read-books.ts';
import type { ChaosShop } from './shops.ts';
import type { Stage } from '../stage/stage.ts';

/** The mean time between two orders. At this pace, 2,000 orders take four minutes, and a short run leaves time for disturbances. */
const GAP_MS = 120;
const MIN_RUN_MS = 30_000;

interface WorkloadOptions {
  orders: number;
  random: ChaosRandom;
  signal: AbortSignal;
  /** Called after each order. */
  onPlaced: () => void;
}

/**
 * Places orders in the shops at an uneven pace and changes some of them shortly afterward. When all orders have been placed and changed,
 * resolves with the orders and their changes. Rejects if the store refuses an order or `signal` is aborted.
 */
export async function placeWorkload(
  stage: Stage,
  shops: readonly ChaosShop[],
  { orders, random, signal, onPlaced }: WorkloadOptions,
): Promise<PlacedOrder[]> {
  const gapMs = Math.max(GAP_MS, MIN_RUN_MS / orders);
  const placed: PlacedOrder[] = [];
  const changing: Promise<void>[] = [];
  for (let index = 0; index < orders; index += 1) {
    const plan = planOrder(shops, index, random.fork(`order ${index}`));
    // A Poisson process: several orders in quick succession, and then none for a while.
    await delay(-gapMs * Math.log(1 - random.between(0, 1)), undefined, { signal });
    const { order, record } = await placeOrder(stage, plan);
    placed.push(order);
    onPlaced();
    const change = changeLater(stage, plan, order, record, signal);
    // The promise is awaited below. This line prevents an unhandled rejection until then.
    change.catch(() => undefined);
    changing.push(change);
  }
  await Promise.all(changing);
  return placed;
}

async function placeOrder(stage: Stage, plan: OrderPlan): Promise<{ order: PlacedOrder; record: StoreRecord }> {
  const { shop, buyer, country, lines, wants } = plan;
  const placedAt = new Date();
  const record = (await stage.control('store', 'POST', '/orders', {
    shop: shop.domain,
    lines: lines.map(({ sku, quantity }) => ({ variantId: shop.variantIds.get(sku), quantity })),
    shippingAddress: toAddressOf(country, buyer),
    email: `${buyer.toLowerCase()}@example.com`,
  })) as StoreRecord;
  const { id, name } = record;
  const order = { id, name, shop: shop.domain, submit: shop.submit, buyer, wants, placedAt, change: null };
  return { order, record };
}

/** Applies the planned change in the store and records it, unless the store refuses the change because it comes too late. */
async function changeLater(
  stage: Stage,
  { change, buyer, country, shop }: OrderPlan,
  order: PlacedOrder,
  { id, lines }: StoreRecord,
  signal: AbortSignal,
): Promise<void> {
  if (change === null) return;
  await delay(change.afterMs, undefined, { signal });
  const { kind, act, wants } = change;
  const units = (act.lines ?? []).map(({ sku, quantity }) => ({
    id: lines.find((line) => line.sku === sku)?.id,
    quantity,
  }));
  const bodies = {
    remove: { path: 'edit', body: { remove: units } },
    add: {
      path: 'edit',
      body: {
        add: (act.lines ?? []).map(({ sku, quantity }) => ({ variantId: shop.variantIds.get(sku), quantity })),
      },
    },
    address: { path: 'address', body: { shippingAddress: toOtherAddressOf(country, buyer) } },
    refund: { path: 'refund', body: { lines: units } },
    cancel: { path: 'cancel', body: {} },
    requestCancellation: { path: 'request-cancellation', body: {} },
  };
  const { path, body } = bodies[act.endpoint];
  try {
    await stage.control('store', 'POST', `/orders/${encodeURIComponent(id)}/${path}`, body);
  } catch (error) {
    if (error instanceof Error && error.message.includes('returned 409')) return;
    throw error;
  }
  order.change = { kind, at: new Date(), wants };
}
