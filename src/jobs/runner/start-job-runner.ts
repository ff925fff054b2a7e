import pg from 'pg';
import { TimeoutClient } from '../../database/timeout-client.ts';
import type { Log } from '../../log.ts';
import { untraced, type Trace } from '../../tracing/work.ts';
import { capRetryDelays } from './cap-retry-delays.ts';
import { deleteFailedJobs } from './delete-failed-jobs.ts';
import { deleteIdleQueues } from './delete-idle-queues.ts';
import { holdRunnerLock } from './hold-runner-lock.ts';
import { runWorkers } from './run-workers.ts';
import type { TaskName, TaskPayloads } from '../tasks.ts';
import { systemClock, withinTime, type Clock } from '../../clock.ts';

const POLL_MS = 10_000;
/** The intervals of the maintenance tasks, in polls: by default a minute and an hour. */
const CAP_EVERY_POLLS = 6;
const DELETE_EVERY_POLLS = 360;
const MAX_STOP_MS = 12_000;
const MAX_RELEASE_MS = 3_000;

interface JobRunnerOptions {
  clock: Clock;
  databaseUrl: string;
  tasks: { [T in TaskName]: (payload: TaskPayloads[T]) => Promise<void> };
  /** Number of simultaneous jobs in this process. */
  concurrency: number;
  log: Log;
  /** Returns a shop's domain, which the log lines of its jobs include. */
  nameShop?: (shopId: number) => Promise<string | null>;
  /** Measures each job. By default, nothing is measured. */
  trace?: Trace;
  /** How often workers check for jobs without a notice, because a notice may be lost if its connection fails. The default is 10 s. */
  pollIntervalMs?: number;
}

/**
 * Runs the queue's jobs in this process, alongside any number of other runners, and resumes automatically after a database outage. Platen's
 * schema and the queue's schema must have been migrated. A job runs at least once: if a runner dies, others run its job from the start
 * within seconds. Rejects if the database cannot be reached at startup. `stop` starts no further jobs, gives running jobs up to 12 s to
 * finish and releases the rest to other runners.
 */
export async function startJobRunner(options: JobRunnerOptions): Promise<{ stop(): Promise<void> }> {
  const { clock, log } = options;
  const stopping = new AbortController();
  const pool = createPool(options.databaseUrl);
  const pollIntervalMs = options.pollIntervalMs ?? POLL_MS;
  const lock = await holdRunnerLock({ ...options, passMs: pollIntervalMs / 2 }, pool, stopping.signal);
  const running = runWorkers({
    clock,
    pool,
    tasks: options.tasks as Record<string, (payload: unknown) => Promise<void>>,
    concurrency: options.concurrency,
    pollIntervalMs,
    lock,
    log,
    nameShop: options.nameShop ?? (async () => null),
    trace: options.trace ?? untraced,
    stopping: stopping.signal,
  });
  const repeat = (polls: number, chore: (queryable: pg.Pool) => Promise<void>): (() => void) =>
    clock.every(polls * pollIntervalMs, () => {
      chore(pool).catch((error: unknown) =>
        log.warn({ error }, 'a maintenance task of the job queue failed and will be retried'),
      );
    });
  const endChores = [
    repeat(CAP_EVERY_POLLS, capRetryDelays),
    repeat(DELETE_EVERY_POLLS, deleteIdleQueues),
    repeat(DELETE_EVERY_POLLS, deleteFailedJobs),
  ];
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const endChore of endChores) endChore();
    const late = (): void => log.warn('some jobs are still running; another runner will run them again');
    await withinTime(systemClock, { work: running, milliseconds: MAX_STOP_MS, late });
    // Do not wait for an unresponsive database: other runners notice that this session has ended.
    await withinTime(systemClock, { work: lock.release(), milliseconds: MAX_RELEASE_MS, late: () => undefined });
    // Do not wait for the connections of running jobs.
    await withinTime(systemClock, { work: pool.end(), milliseconds: 1_000, late: () => undefined });
  };
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}

/** Creates the pool: one connection claims jobs and records their ends, and the others are for maintenance. */
function createPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 3,
    application_name: 'platen jobs',
    Client: TimeoutClient,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    keepAlive: true,
  });
  // Claims and ends need not survive a database crash: such a job runs again, like all running jobs.
  pool.on('connect', (client) => void client.query('set synchronous_commit = off').catch(() => undefined));
  // A query on a broken connection fails anyway. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  return pool;
}
