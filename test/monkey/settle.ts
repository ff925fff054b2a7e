import { setTimeout as delay } from 'node:timers/promises';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import type { TaskName, TaskPayloads } from '../../src/jobs/tasks.ts';
import type { Scene } from './scene.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';

const LOOK_MS = 8;
/** The longest time for which the number of due jobs and webhooks may stay the same without being zero. */
const MAX_STILL_NS = 60_000_000_000n;
const MAX_IDLE_NS = 10n * MAX_STILL_NS;
/** How often, per order, the clock may advance to the next job in one period. If it advances more often, a job is retrying endlessly. */
const MAX_ADVANCES_PER_ORDER = 400;
const LATE_WITHIN_SECONDS = 300;

/** The error for an app that never becomes idle, which is a defect. */
export class NeverIdleError extends Error {}

interface Waiting {
  open: number;
  /** Seconds until the next job, or null if no job is waiting. */
  nextIn: number | null;
}

async function look({ platen: { app, control } }: Scene): Promise<Waiting> {
  const [row]: { open: string; next: number | null }[] = await app.db.query(
    `select (select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts)
       + (select count(*) from deliveries where handled_at is null) as open,
       (select extract(epoch from min(run_at) - now())::float8 from graphile_worker.jobs where run_at > now() and attempts < max_attempts) as next`,
  );
  const pending = await Promise.all(
    (['print', 'store'] as const).map(async (of) => {
      const counts = (await control(of, 'GET', '/webhooks')) as { pending: Record<string, number> };
      return Object.values(counts.pending).reduce((sum, count) => sum + count, 0);
    }),
  );
  return { open: Number(row?.open) + pending.reduce((sum, count) => sum + count, 0), nextIn: row?.next ?? null };
}

/** Waits until two consecutive checks find no pending webhook and no due job, because webhooks and jobs may cause each other. */
async function untilIdle(scene: Scene): Promise<Waiting> {
  // This clock measures real time, which no step advances.
  const begun = process.hrtime.bigint();
  let changed = { at: begun, open: -1 };
  for (let calm = 0; ;) {
    const { open, nextIn } = await look(scene);
    calm = open === 0 ? calm + 1 : 0;
    if (calm === 2) return { open, nextIn };
    const at = process.hrtime.bigint();
    if (open !== changed.open) changed = { at, open };
    // On a busy machine, the app takes longer to become idle, but the number of jobs still changes.
    if (at - changed.at > MAX_STILL_NS || at - begun > MAX_IDLE_NS)
      throw new NeverIdleError(`${open} jobs and webhooks are still due.`);
    await delay(LOOK_MS);
  }
}

/** Advances time from job to job, so that each job runs when it is due. */
export async function advanceThroughJobs(scene: Scene, seconds: number): Promise<void> {
  const { clock, platen } = scene;
  const end = clock.now() + seconds * 1000;
  const most = MAX_ADVANCES_PER_ORDER * Math.max(1, await platen.app.db.manager.count(StorefrontOrders));
  for (let moves = 0; moves < most; moves += 1) {
    const { nextIn } = await untilIdle(scene);
    const left = end - clock.now();
    if (left <= 0) return;
    if (nextIn === null || nextIn * 1000 > left) {
      await clock.putForward(platen.app.db, left);
      await untilIdle(scene);
      return;
    }
    await clock.putForward(platen.app.db, Math.ceil(nextIn * 1000) + 1);
  }
  throw new NeverIdleError(`More than ${most} jobs ran one after another within ${seconds} s.`);
}

type Pass = { [T in TaskName]: [task: T, payload: TaskPayloads[T]] }[TaskName];

const PASSES: readonly Pass[] = [
  ['catch_up_shops', { pass: 'catch_up_storefront_orders' }],
  ['catch_up_shops', { pass: 'catch_up_fulfillment_requests' }],
  ['catch_up_print_orders', {}],
  ['catch_up_uncertain', {}],
  ['catch_up_packages', {}],
  ['catch_up_store_updates', {}],
  ['catch_up_lost_jobs', {}],
];
const DAILY: readonly Pass[] = [
  ['audit_print_accounts', {}],
  ['check_stuck', {}],
];

async function runPolls(scene: Scene, passes: readonly Pass[]): Promise<void> {
  for (const [task, payload] of passes) await enqueue(scene.platen.app.db, task, payload);
  await untilIdle(scene);
}

/**
 * Lets periods of time pass. The polls run only at the end of each period. Late calls take effect within LATE_WITHIN_SECONDS, because the
 * submit protocol assumes that no call takes effect after the quiet time.
 */
export async function passTime(scene: Scene, ...stretches: number[]): Promise<void> {
  for (const leg of stretches) {
    await advanceThroughJobs(scene, Math.min(leg, LATE_WITHIN_SECONDS));
    if (leg > LATE_WITHIN_SECONDS) {
      for (const side of ['print', 'store'] as const) await scene.platen.control(side, 'POST', '/faults/late', {});
      await advanceThroughJobs(scene, leg - LATE_WITHIN_SECONDS);
    }
    await runPolls(scene, leg > 7_200 ? [...PASSES, ...DAILY] : PASSES);
  }
}
