import { setTimeout as delay } from 'node:timers/promises';
import { toAddressOf } from '../test/chaos/orders/addresses.ts';
import type { PrintRecord, StoreRecord } from '../test/chaos/books/read-books.ts';
import { say } from '../test/chaos/say.ts';
import type { BenchShop } from './shops.ts';
import type { Stage } from './stage.ts';

/** An order of a benchmark: one line, one unit, one package. */
export interface BenchOrder {
  /** The id in the store. */
  id: string;
  /** The last name in the order's address, which identifies the order in the print service's books. */
  buyer: string;
  placedAt: number;
}

const LOOK_MS = 200;
/**
 * If the count does not change for this long, the wait fails. The limit is long, because a busy machine may need minutes until it has
 * handled the first of many orders.
 */
const STUCK_MS = 300_000;
/** A job that is due later than this is not part of an order's processing. */
const SOON = '3 seconds';
const MAX_STILL_MS = 60_000;

/** Places one order in the store. The store sends the order's webhooks before the promise resolves. */
export async function placeOrder(stage: Stage, shop: BenchShop, buyer: string): Promise<BenchOrder> {
  const placedAt = Date.now();
  const { id } = (await stage.control('store', 'POST', '/orders', {
    shop: shop.domain,
    lines: [{ variantId: shop.variantId, quantity: 1 }],
    shippingAddress: toAddressOf('DE', buyer),
    email: `${buyer.toLowerCase()}@example.com`,
  })) as StoreRecord;
  return { id, buyer, placedAt };
}

/** Places `count` orders in the shops in turn, `atOnce` at a time, as fast as the store accepts them. */
export async function placeOrders(
  stage: Stage,
  shops: readonly BenchShop[],
  { count, prefix, atOnce = 4 }: { count: number; prefix: string; atOnce?: number },
): Promise<BenchOrder[]> {
  const placed: BenchOrder[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const shop = shops[number % shops.length];
      if (shop) placed.push(await placeOrder(stage, shop, `${prefix}${number}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return placed;
}

/** Returns the ID of the last fulfillment row. `untilFulfilled` counts the rows after it. */
export async function lastFulfillment(stage: Stage): Promise<string> {
  const [row] = await stage.query<{ id: string }>(`select coalesce(max(id), 0)::text as id from fulfillments`);
  return row?.id ?? '0';
}

/**
 * Returns how many fulfillments the app has created in the stores since row `since`. Counting all rows would cost more than processing the
 * orders.
 */
async function countFulfilled(stage: Stage, since: string): Promise<number> {
  const [row] = await stage.query<{ n: number }>(
    `select count(*)::int as n from fulfillments where state = 'done' and id > $1::bigint`,
    [since],
  );
  return row?.n ?? 0;
}

/** Returns how many print orders of these shops are confirmed. */
export async function countConfirmed(stage: Stage, shops: readonly BenchShop[]): Promise<number> {
  const [row] = await stage.query<{ n: number }>(
    'select count(*)::int as n from print_orders where shop_id = any($1::int[]) and confirmed_at is not null',
    [shops.map(({ id }) => id)],
  );
  return row?.n ?? 0;
}

/**
 * Waits until a count reaches a value, and returns the time in milliseconds since 1970. Rejects if the count does not change for five
 * minutes.
 */
export async function untilCount(count: () => Promise<number>, wanted: number, lookMs = LOOK_MS): Promise<number> {
  let [last, since] = [-1, Date.now()];
  for (;;) {
    const counted = await count();
    if (counted >= wanted) return Date.now();
    if (counted !== last) [last, since] = [counted, Date.now()];
    if (Date.now() - since > STUCK_MS)
      throw new Error(`Only ${counted} of ${wanted} orders are done, and the count no longer changes.`);
    await delay(lookMs);
  }
}

/** Waits until the app has created this number of fulfillments since row `since`, and returns the time in milliseconds since 1970. */
export async function untilFulfilled(stage: Stage, since: string, wanted: number): Promise<number> {
  return untilCount(() => countFulfilled(stage, since), wanted);
}

/** Waits until no job is running or due soon. */
export async function untilStill(stage: Stage): Promise<void> {
  const deadline = Date.now() + MAX_STILL_MS;
  for (;;) {
    const [row] = await stage.query<{ n: number }>(
      `select count(*)::int as n from graphile_worker.jobs
       where locked_at is not null or (run_at <= now() + interval '${SOON}' and attempts < max_attempts)`,
    );
    if (row?.n === 0) return;
    if (Date.now() > deadline) return say(`${row?.n} jobs are still running or due; their cost is not included`);
    await delay(LOOK_MS);
  }
}

/** Checks that each order was printed once. Returns the milliseconds from each order's webhook to its confirmed print order. */
export async function checkPrinted(stage: Stage, orders: readonly BenchOrder[]): Promise<number[]> {
  const all = (await stage.control('print', 'GET', '/orders')) as PrintRecord[];
  const printed = Map.groupBy(
    all.filter(({ orderType, deleted }) => orderType === 'order' && deleted !== true),
    ({ shippingAddress }) => shippingAddress.lastName,
  );
  return orders.map(({ buyer, placedAt }) => {
    const [print, ...more] = printed.get(buyer) ?? [];
    if (!print?.orderedAt || more.length > 0) throw new Error(`${buyer}'s order was not printed exactly once.`);
    return Date.parse(print.orderedAt) - placedAt;
  });
}

/** Performs the check of `checkPrinted`, and also checks that each order was fulfilled once in the store, with a tracking code. */
export async function checkBooks(stage: Stage, orders: readonly BenchOrder[]): Promise<number[]> {
  const inStore = (await stage.control('store', 'GET', '/orders')) as StoreRecord[];
  const byId = new Map(inStore.map((order) => [order.id, order]));
  for (const { id, buyer } of orders) {
    const tracked = byId.get(id)?.fulfillments.filter(({ trackingCodes }) => trackingCodes.length > 0);
    if (tracked?.length !== 1) throw new Error(`${buyer}'s order was not fulfilled exactly once.`);
  }
  return checkPrinted(stage, orders);
}
