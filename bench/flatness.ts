import { say } from '../test/chaos/say.ts';
import { copyOrders, copyShop } from './copy-orders.ts';
import { sendWebhooks, toPerSecond } from './intake.ts';
import { measurePass, type PassCost } from './passes.ts';
import { percentile } from './percentile.ts';
import { openShops, type BenchShop } from './shops.ts';
import { openStage, type Stage } from './stage.ts';
import { measureBurst, warmUp } from './order-processing.ts';
import { measureCost } from './work.ts';

/** Times per item, with an empty database and with many stored orders. Except for the intake, these are processor times. */
interface Flatness {
  stored: number;
  shops: number;
  empty: Times;
  full: Times;
  /**
   * The ratio of the times with the full database to the times with the empty one. A ratio of 1 means that stored orders make no
   * difference.
   */
  ratios: Times;
}

interface Times {
  /** Seconds per webhook, and processor seconds per order and per poll of each kind. */
  intake: number;
  way: number;
  polls: number;
  /** Processor seconds per poll of lost work after a restore. All orders were placed before it, but only unfinished ones are rebuilt. */
  rebuild: number;
}

const STORED = 1_000_000;
const SHOPS = 4;
const STORED_SHOPS = 196;
/**
 * The number of measurements on each stage. The result is their median. The stages take turns, so that other work on the machine affects
 * both equally.
 */
const ROUNDS = 3;
const WEBHOOKS = 1_500;
const ORDERS = 150;

interface Side {
  stage: Stage;
  shops: BenchShop[];
}

/** Compares a stage with an empty database and a stage with many stored orders. */
export async function measureFlatness(stored = STORED): Promise<Flatness> {
  await using stages = new AsyncDisposableStack();
  const open = async (): Promise<Side> => {
    const stage = await openStage();
    stages.defer(() => stage.close());
    const shops = await stage.withApp((app) => openShops(stage, app, 'flat', SHOPS));
    const app = await stage.startApp('all');
    // The filled stage gets many copies of the first shop's order.
    await warmUp(stage, shops);
    await app.stop();
    return { stage, shops };
  };
  const sides = { empty: await open(), full: await open() };
  say(`flat: storing ${stored} orders`);
  await fillSide(sides.full, stored);
  const intake = await compareSides(sides, startIntake, Math.min(WEBHOOKS, Math.max(100, stored)));
  say('flat: measuring the intake');
  const way = await compareSides(sides, startOrderProcessing, Math.min(ORDERS, stored));
  say('flat: measuring orders from the webhook to the fulfillment');
  const polls = await compareSides(sides, startPolls, 1);
  say('flat: measuring the poll after a restore');
  const rebuild = await compareSides(sides, startRebuild, 1);
  const toTimes = (of: 'empty' | 'full'): Times => ({
    intake: intake[of],
    way: way[of],
    polls: polls[of],
    rebuild: rebuild[of],
  });
  const [empty, full] = [toTimes('empty'), toTimes('full')];
  const ratios = {
    intake: full.intake / empty.intake,
    way: full.way / empty.way,
    polls: full.polls / empty.polls,
    rebuild: full.rebuild / empty.rebuild,
  };
  return { stored, shops: SHOPS + STORED_SHOPS, empty, full, ratios };
}

async function fillSide({ stage, shops }: Side, stored: number): Promise<void> {
  const [first] = shops;
  if (!first) throw new Error('There are no shops.');
  const to = [...shops.map(({ id }) => id), ...(await copyShop(stage, first.id, STORED_SHOPS))];
  await copyOrders(stage, { from: first.id, copies: stored, to });
  await stage.query('vacuum (analyze)');
  await stage.query('checkpoint');
}

/** Prepares a stage. Each call of `measure` returns the elapsed or processor seconds for each of `count` items. */
type Start = (
  side: Side,
  count: number,
) => Promise<{ measure: (round: number) => Promise<number>; end: () => Promise<void> }>;

/** Returns the median of each stage's measurements. */
async function compareSides(
  sides: { empty: Side; full: Side },
  start: Start,
  count: number,
): Promise<{ empty: number; full: number }> {
  const [empty, full] = [await start(sides.empty, count), await start(sides.full, count)];
  const seconds: { empty: number[]; full: number[] } = { empty: [], full: [] };
  // Round 0 only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [ofEmpty, ofFull] = [await empty.measure(round), await full.measure(round)];
    if (round === 0) continue;
    seconds.empty.push(ofEmpty);
    seconds.full.push(ofFull);
  }
  await Promise.all([empty.end(), full.end()]);
  return { empty: percentile(seconds.empty, 0.5), full: percentile(seconds.full, 0.5) };
}

const startIntake: Start = async ({ stage, shops }, count) => {
  const app = await stage.startApp('web');
  const domains = shops.map(({ domain }) => domain);
  return {
    measure: async () => 1 / toPerSecond(await sendWebhooks(stage, stage.appUrl, domains, count)),
    async end() {
      await app.stop();
      // The stores do not have these orders, so their jobs would fail.
      await stage.query('delete from graphile_worker._private_jobs');
      await stage.query('delete from deliveries where handled_at is null');
    },
  };
};

const startOrderProcessing: Start = async ({ stage, shops }, count) => {
  const app = await stage.startApp('all');
  return {
    async measure(round) {
      const { cost } = await measureCost(stage, app, count, () =>
        measureBurst(stage, shops, { orders: count, prefix: `Flat${round}x` }),
      );
      return (cost.appCpuMs + (cost.databaseCpuMs ?? 0)) / 1000;
    },
    end: () => app.stop(),
  };
};

const startPolls: Start = async ({ stage }) => {
  const app = await stage.startApp('all');
  return {
    async measure() {
      const prints = await measurePass(stage, app, 'catch_up_print_orders');
      const stores = await measurePass(stage, app, 'catch_up_storefront_orders');
      return toCpuSeconds(prints) + toCpuSeconds(stores);
    },
    end: () => app.stop(),
  };
};

const startRebuild: Start = async ({ stage }) => {
  const app = await stage.startApp('all');
  await stage.query('update installation set quiet_until = now()');
  return {
    measure: async () => toCpuSeconds(await measurePass(stage, app, 'catch_up_lost_jobs')),
    end: () => app.stop(),
  };
};

const toCpuSeconds = ({ appCpuMs, databaseCpuMs }: PassCost): number => (appCpuMs + (databaseCpuMs ?? 0)) / 1000;
