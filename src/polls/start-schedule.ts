import cron, { type ScheduledTask } from 'node-cron';
import type { App } from '../app.ts';
import type { Clock } from '../clock.ts';
import type { TaskName, TaskPayloads } from '../jobs/tasks.ts';
import { enqueue } from '../jobs/enqueue.ts';

interface Pass<T extends TaskName = TaskName> {
  /** Minute, hour, day of month, month and day of week, in UTC. */
  expression: string;
  task: T;
  payload: TaskPayloads[T];
}

const pass = <T extends TaskName>(expression: string, task: T, payload: TaskPayloads[T]): Pass<T> => ({
  expression,
  task,
  payload,
});

/** Every poll and its schedule (docs/rules/planning.md#polls). */
const PASSES: readonly Pass[] = [
  pass('*/5 * * * *', 'catch_up_print_orders', {}),
  pass('* * * * *', 'catch_up_uncertain', {}),
  pass('*/10 * * * *', 'catch_up_shops', { pass: 'catch_up_storefront_orders' }),
  pass('*/10 * * * *', 'catch_up_shops', { pass: 'catch_up_fulfillment_requests' }),
  pass('*/5 * * * *', 'catch_up_packages', {}),
  pass('*/5 * * * *', 'catch_up_store_updates', {}),
  pass('*/5 * * * *', 'catch_up_lost_jobs', {}),
  pass('* * * * *', 'check_alerts', {}),
  pass('27 * * * *', 'catch_up_shops', { pass: 'catch_up_store_products' }),
  pass('7 3 * * *', 'catch_up_shops', { pass: 'catch_up_stock' }),
  pass('27 2 * * *', 'catch_up_shops', { pass: 'catch_up_link_metafields' }),
  pass('17 3 * * *', 'catch_up_shops', { pass: 'check_other_app' }),
  pass('37 3 * * *', 'refresh_tokens', {}),
  pass('47 3 * * *', 'catch_up_shops', { pass: 'keep_carrier_service' }),
  pass('52 3 * * *', 'catch_up_shops', { pass: 'keep_fulfillment_service' }),
  pass('57 3 * * *', 'remove_old_data', {}),
  pass('27 4 * * *', 'check_privacy_requests', {}),
  pass('7 4 * * *', 'audit_print_accounts', {}),
  pass('37 4 * * *', 'check_stuck', {}),
  pass('47 4 * * *', 'check_news', {}),
];

/** Daily passes keep their schedule regardless of POLL_SECONDS. */
const isDaily = ({ expression }: Pass): boolean => !/^\S+ \*/.test(expression);

/**
 * Starts this replica's poll schedule. The schedule only enqueues a job in the pass's queue, so that a pass runs once at a time, regardless
 * of the number of replicas. `pollSeconds` replaces the interval of every pass that runs hourly or more often. Returns a function that
 * stops the schedule.
 */
export function startSchedule(app: App, pollSeconds: number | null): () => void {
  // During a database outage, every tick of every pass fails. Only the outage's start and end are logged.
  let isUnavailable = false;
  let changedAt = -Infinity;
  /** A tick that began before the last change reveals nothing about the database's current state. */
  const recordIfChanged = (away: boolean, begunAt: number): boolean => {
    if (away === isUnavailable || begunAt < changedAt) return false;
    isUnavailable = away;
    changedAt = app.clock.ticks();
    return true;
  };
  const enqueuePass = async ({ task, payload }: Pass): Promise<void> => {
    const begunAt = app.clock.ticks();
    try {
      await enqueue(app.db, task, payload);
      if (recordIfChanged(false, begunAt)) app.log.info('polls are enqueued again');
    } catch (error) {
      // The next tick will try again.
      if (recordIfChanged(true, begunAt))
        app.log.warn({ task, error }, 'polls cannot be enqueued until the database responds');
    }
  };
  const stops = PASSES.map((one) => {
    const tick = (): void => void enqueuePass(one);
    if (pollSeconds !== null && !isDaily(one)) return app.clock.every(pollSeconds * 1000, tick);
    return atEach(app.clock, one.expression, tick);
  });
  return () => {
    for (const stop of stops) stop();
  };
}

const MINUTE_MS = 60_000;
/** Every pass runs at least once a day. */
const MAX_MINUTES = 24 * 60;

/** Calls `run` at each time of a cron expression in UTC, by this clock, until the returned function is called. */
function atEach(clock: Clock, expression: string, run: () => void): () => void {
  // The task is never started, because node-cron's own timers would follow the machine's time.
  const schedule = cron.createTask(expression, run, { timezone: 'UTC' });
  let cancel = (): void => undefined;
  let last = clock.now().getTime();
  const wait = (): void => {
    const now = clock.now().getTime();
    // A timer may end shortly before its time of day.
    last = findNext(schedule, Math.max(now, last));
    cancel = clock.after(last - now, () => {
      wait();
      run();
    });
  };
  wait();
  return () => {
    cancel();
    void schedule.destroy();
  };
}

/** Returns the first whole minute after this time that matches the schedule. */
function findNext(schedule: ScheduledTask, after: number): number {
  const first = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
  for (let minute = 0; minute < MAX_MINUTES; minute += 1) {
    const at = first + minute * MINUTE_MS;
    if (schedule.match(new Date(at))) return at;
  }
  throw new Error(`no time within a day: ${schedule.getPattern()}`);
}
