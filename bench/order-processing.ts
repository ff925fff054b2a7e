import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../test/chaos/say.ts';
import { COUNT_LAG_MS, readTransactions } from './database-work.ts';
import {
  checkBooks,
  countConfirmed,
  lastFulfillment,
  placeOrder,
  placeOrders,
  untilCount,
  untilFulfilled,
  untilStill,
} from './orders.ts';
import type { BenchOrder } from './orders.ts';
import { percentile } from './percentile.ts';
import { openShops, type BenchShop } from './shops.ts';
import { openStage, type AppProcess, type Stage } from './stage.ts';
import type { StatementCount } from './group-statements.ts';
import { measureCost, type Cost } from './work.ts';

/** The cost of one plain order from the store's webhook to its fulfillment there, submitted as a draft. */
export interface OrderProcessing {
  orders: number;
  perOrder: Cost & { commits: number };
  ordersPerSecond: number;
  idleTransactionsPerSecond: number;
  latencyMs: { p50: number; p95: number };
  adminCallsByName: Record<string, number>;
  statements: StatementCount[];
}

const ORDERS = 1_000;
const SHOPS = 4;
/** The app is idle for a whole minute, because some passes run every minute. */
const IDLE_MS = 60_000;
/** The number of orders whose time to the print service is measured. Each order is placed once the previous one is confirmed. */
const TIMED_ORDERS = 40;
const LOOK_MS = 50;

/** Measures the processing of orders from webhook to fulfillment, on a separate stage. */
export async function measureOrderProcessing(orders = ORDERS): Promise<OrderProcessing> {
  const stage = await openStage();
  try {
    const first = await stage.withApp((app) => openShops(stage, app, 'first', 1));
    const app = await stage.startApp('all');
    await warmUp(stage, first);
    say('way: measuring while idle');
    const idle = await measureIdle(stage);
    const shops = [...first, ...(await stage.withApp((one) => openShops(stage, one, 'more', SHOPS - 1)))];
    await warmUp(stage, shops);
    say('way: orders one by one');
    const latency = await measureLatency(stage, shops, Math.min(orders, TIMED_ORDERS));
    say(`way: ${orders} orders at once`);
    const work = await measureWork(stage, app, { shops, orders, idle });
    return {
      orders,
      ...work,
      idleTransactionsPerSecond: idle,
      latencyMs: { p50: percentile(latency, 0.5), p95: percentile(latency, 0.95) },
    };
  } finally {
    await stage.close();
  }
}

/** Prints one order in each shop, so that one-time work is not measured later. */
export async function warmUp(stage: Stage, shops: readonly BenchShop[]): Promise<void> {
  const since = await lastFulfillment(stage);
  await placeOrders(stage, shops, { count: shops.length, prefix: `Warm${since}x` });
  await untilFulfilled(stage, since, shops.length);
  await untilStill(stage);
}

/** Returns the number of transactions per second while nothing happens. */
async function measureIdle(stage: Stage): Promise<number> {
  await delay(COUNT_LAG_MS);
  const before = await readTransactions(stage);
  await delay(IDLE_MS);
  const after = await readTransactions(stage);
  return (after.all - before.all) / (IDLE_MS / 1000);
}

async function measureLatency(stage: Stage, shops: readonly BenchShop[], count: number): Promise<number[]> {
  const since = await lastFulfillment(stage);
  const placed: BenchOrder[] = [];
  for (let number = 0; number < count; number += 1) {
    const shop = shops[number % shops.length];
    if (!shop) continue;
    const confirmed = await countConfirmed(stage, [shop]);
    placed.push(await placeOrder(stage, shop, `Timed${number}`));
    await untilCount(() => countConfirmed(stage, [shop]), confirmed + 1, LOOK_MS);
  }
  await untilFulfilled(stage, since, count);
  await untilStill(stage);
  return checkBooks(stage, placed);
}

/**
 * Returns the orders per second of a burst, from the first order to the last fulfillment. For about ten seconds of this time, the app waits
 * for further events.
 */
export async function measureBurst(
  stage: Stage,
  shops: readonly BenchShop[],
  { orders, prefix }: { orders: number; prefix: string },
): Promise<number> {
  const since = await lastFulfillment(stage);
  const startedAt = Date.now();
  const placed = await placeOrders(stage, shops, { count: orders, prefix });
  const endedAt = await untilFulfilled(stage, since, orders);
  await untilStill(stage);
  await checkBooks(stage, placed);
  const elapsed = endedAt - startedAt;
  return (orders * 1000) / elapsed;
}

interface WorkOptions {
  shops: readonly BenchShop[];
  orders: number;
  /** The number of transactions per second while the app is idle. */
  idle: number;
}

async function measureWork(
  stage: Stage,
  app: AppProcess,
  { shops, orders, idle }: WorkOptions,
): Promise<Pick<OrderProcessing, 'perOrder' | 'ordersPerSecond' | 'adminCallsByName' | 'statements'>> {
  await delay(COUNT_LAG_MS);
  const before = await readTransactions(stage);
  const { result, cost, ...listed } = await measureCost(stage, app, orders, () =>
    measureBurst(stage, shops, { orders, prefix: 'Burst' }),
  );
  await delay(COUNT_LAG_MS);
  const after = await readTransactions(stage);
  // Subtracts the idle transactions of the wait for PostgreSQL's counts, because they are not part of the orders' cost.
  const commits = (after.commits - before.commits - (idle * COUNT_LAG_MS) / 1000) / orders;
  return { perOrder: { ...cost, commits }, ordersPerSecond: result, ...listed };
}
