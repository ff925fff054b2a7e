import { say } from '../test/chaos/say.ts';
import { checkPrinted, countConfirmed, placeOrders, untilCount } from './orders.ts';
import { percentile } from './percentile.ts';
import { openShops, type BenchShop } from './shops.ts';
import { openStage, type Stage } from './stage.ts';
import { measureBurst, warmUp } from './order-processing.ts';

/** The throughput gained with more processes, and how a shop with very many orders affects other shops. */
interface Replicas {
  /** Orders per second by number of workers. An additional process serves requests, and all processes run on this machine. */
  ordersPerSecond: Record<string, number>;
  /**
   * The milliseconds from an order's webhook to its confirmed print order in small shops: alone, and while one shop has very many orders.
   */
  smallShops: { shops: number; ordersEach: number; bigShopOrders: number; aloneP95Ms: number; besideP95Ms: number };
  ratios: { besideToAlone: number };
}

const WORKERS = [1, 2, 4];
const BURST = 600;
const BURST_SHOPS = 4;
const BIG = 10_000;
/** The number of small shops relative to the number of the big shop's orders: 100 small shops for 10,000 orders. */
const SMALL_SHARE = 0.01;
const ORDERS_EACH = 10;

/** Measures each number of workers on a separate stage, and the small shops next to a big shop on another stage. */
export async function measureReplicas(big = BIG): Promise<Replicas> {
  const ordersPerSecond: Record<string, number> = {};
  for (const workers of WORKERS) {
    ordersPerSecond[workers] = await measureWorkers(workers, Math.min(BURST, big));
    say(`replicas: ${workers} measured`);
  }
  const smallShops = await measureSmallShops(big);
  const besideToAlone = smallShops.besideP95Ms / smallShops.aloneP95Ms;
  return { ordersPerSecond, smallShops, ratios: { besideToAlone } };
}

async function measureWorkers(workers: number, orders: number): Promise<number> {
  const stage = await openStage();
  try {
    const shops = await stage.withApp((app) => openShops(stage, app, 'workers', BURST_SHOPS));
    await stage.startApp('web');
    for (let started = 0; started < workers; started += 1) await stage.startApp('worker');
    await warmUp(stage, shops);
    return await measureBurst(stage, shops, { orders, prefix: 'Burst' });
  } finally {
    await stage.close();
  }
}

async function measureSmallShops(bigShopOrders: number): Promise<Replicas['smallShops']> {
  const count = Math.max(1, Math.round(bigShopOrders * SMALL_SHARE));
  const stage = await openStage();
  try {
    say(`replicas: ${count} small shops and a big one`);
    const [small, [big]] = await stage.withApp(async (app) => [
      await openShops(stage, app, 'small', count),
      await openShops(stage, app, 'big', 1),
    ]);
    if (!big) throw new Error('There is no big shop.');
    await stage.startApp('all');
    await warmUp(stage, small);
    const aloneP95Ms = percentile(await printSmall(stage, small, 'Alone'), 0.95);
    say('replicas: beside the big shop');
    await placeOrders(stage, [big], { count: bigShopOrders, prefix: 'Big' });
    const besideP95Ms = percentile(await printSmall(stage, small, 'Beside'), 0.95);
    return { shops: count, ordersEach: ORDERS_EACH, bigShopOrders, aloneP95Ms, besideP95Ms };
  } finally {
    await stage.close();
  }
}

/**
 * Places the orders of the small shops and waits until all are confirmed. Returns the milliseconds from each order's webhook to its
 * confirmed print order.
 */
async function printSmall(stage: Stage, shops: readonly BenchShop[], prefix: string): Promise<number[]> {
  const before = await countConfirmed(stage, shops);
  const placed = await placeOrders(stage, shops, { count: shops.length * ORDERS_EACH, prefix });
  await untilCount(() => countConfirmed(stage, shops), before + placed.length);
  return checkPrinted(stage, placed);
}
