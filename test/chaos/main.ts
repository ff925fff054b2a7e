import { once } from 'node:events';
import { buildAdmin } from '../../scripts/build-admin.ts';
import { parseChaosArguments, type ChaosArguments } from './arguments.ts';
import { checkRun } from './books/check-run.ts';
import { disturb, type Disturbances } from './disturb.ts';
import { toFaults } from './faults.ts';
import { createChaosRandom } from './orders/random.ts';
import { say } from './say.ts';
import { prepareShops } from './orders/shops.ts';
import { openStage, type OpenStage, type Stage } from './stage/stage.ts';
import { toSummary, type Summary } from './summary.ts';
import { untilMostSent } from './books/until-most-sent.ts';
import { untilStill } from './books/until-still.ts';
import { placeWorkload } from './orders/workload.ts';

const PROGRESS_MS = 5_000;
/** In direct mode, a freeze and a late effect that follows it must end within the quiet time (10 s). */
const MAX_FREEZE_MS = { draft: 20_000, direct: 6_000, both: 6_000 };
/** How long orders may take to be sent. On a slow machine, they are sent long after they are placed. */
const MAX_SEND_MS = 60_000;
const SEND_MS_PER_ORDER = 100;
/**
 * How long orders may remain in progress. This includes time for uncertain and queued orders, and for orders that have been waiting since
 * the restore.
 */
const MAX_REST_MS = 300_000;
const REST_MS_PER_ORDER = 600;

/** Places orders while disturbing the processes, waits until nothing is in progress, and checks the stand-ins' books. */
async function run(args: ChaosArguments, stage: OpenStage, signal: AbortSignal): Promise<Summary> {
  const random = createChaosRandom(args.seed);
  const shops = await prepareShops(stage, { submit: args.submit, random: random.fork('shops') });
  const done: Disturbances = { kills: 0, freezes: 0, databaseRestarts: 0, restores: 0, restored: null };
  let placed = 0;
  const progress = setInterval(() => say(`placed ${placed} of ${args.orders}; ${describe(done)}`), PROGRESS_MS);
  try {
    await setFaults(stage, args.faultRate, args.seed);
    const ended = new AbortController();
    const [plan] = await Promise.all([
      placeWorkload(stage, shops, {
        orders: args.orders,
        random: random.fork('workload'),
        signal: AbortSignal.any([signal, ended.signal]),
        onPlaced: () => (placed += 1),
      }),
      disturb(done, {
        stage,
        random: random.fork('disturbances'),
        placedShare: () => placed / args.orders,
        freezeMsAtMost: MAX_FREEZE_MS[args.submit],
        signal,
      }),
    ]).finally(() => ended.abort());
    say('all orders are placed and all processes are running; the faults continue until most orders are sent');
    await untilMostSent(stage, plan, { limitMs: MAX_SEND_MS + args.orders * SEND_MS_PER_ORDER, signal });
    clearInterval(progress);
    await setFaults(stage, 0, args.seed);
    say(`disturbances ended: ${describe(done)}`);
    const rest = { limitMs: MAX_REST_MS + args.orders * REST_MS_PER_ORDER, signal };
    const moving = await untilStill(stage, plan, rest);
    const findings = await checkRun(stage, plan, done.restored);
    const crashes = stage.replicas.reduce((sum, replica) => sum + replica.crashes(), 0);
    return toSummary(args, { findings, moving, crashes, faults: await countFaults(stage), disturbances: done });
  } finally {
    clearInterval(progress);
  }
}

function describe({ kills, freezes, databaseRestarts, restores }: Disturbances): string {
  return `${kills} kills, ${freezes} freezes, ${databaseRestarts} database restarts, ${restores} restores`;
}

async function setFaults(stage: Stage, rate: number, seed: number): Promise<void> {
  const faults = toFaults(rate, seed);
  await stage.control('print', 'POST', '/faults', faults.print);
  await stage.control('store', 'POST', '/faults', faults.store);
  await stage.control('print', 'POST', '/webhooks', faults.printWebhooks);
  await stage.control('store', 'POST', '/webhooks', faults.storeWebhooks);
}

/** Counts the faults that both stand-ins injected, by kind. */
async function countFaults(stage: Stage): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const side of ['print', 'store'] as const) {
    const { injected } = (await stage.control(side, 'GET', '/faults')) as { injected: Record<string, number> };
    for (const [kind, count] of Object.entries(injected)) counts[kind] = (counts[kind] ?? 0) + count;
  }
  return counts;
}

function readArguments(): ChaosArguments | null {
  try {
    return parseChaosArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

/** Returns a promise that rejects when the run is interrupted. */
function whenInterrupted(interrupting: AbortController): Promise<never> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  return Promise.race(signals.map((name) => once(process, name))).then(() => {
    interrupting.abort();
    throw new Error('interrupted');
  });
}

/** Returns whether the run succeeded. In any case, all of the run's processes end with the run. */
async function main(args: ChaosArguments): Promise<boolean> {
  say(`seed ${args.seed}`);
  const interrupting = new AbortController();
  const interrupted = whenInterrupted(interrupting);
  interrupted.catch(() => undefined);
  await buildAdmin();
  const stage = await openStage({ ...args, signal: interrupting.signal });
  let summary: Summary | null = null;
  try {
    summary = await Promise.race([run(args, stage, interrupting.signal), interrupted]);
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  await stage.close();
  if (summary?.ok === true || interrupting.signal.aborted) await stage.remove();
  else say(`logs, books and database are kept in ${stage.home}`);
  if (summary !== null) process.stdout.write(`${JSON.stringify(summary)}\n`);
  return summary?.ok === true;
}

const args = readArguments();
if (args === null) process.exitCode = 2;
else process.exitCode = (await main(args)) ? 0 : 1;
