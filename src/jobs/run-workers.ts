import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { runTaskList } from 'graphile-worker';
import type { Job, Logger, TaskList, Worker, WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { PlatenError } from '../errors.ts';
import { levelOf, withLogFields, type Log } from '../log.ts';
import type { RunnerLock } from './hold-runner-lock.ts';
import { levelJobs } from './level-jobs.ts';
import { shareWorkers } from './share-workers.ts';

const RETRY_MS = 500;
/** For the results of the last jobs to be written, or not, once no worker has a job. */
const RESULTS_MS = 5_000;
const LOOK_MS = 100;

interface WorkersOptions {
  pool: Pool;
  tasks: Record<string, (payload: unknown) => Promise<void>>;
  concurrency: number;
  pollIntervalMs: number;
  lock: RunnerLock;
  log: Log;
  /** The domain of a shop, for the log. */
  nameShop: (shopId: number) => Promise<string | null>;
  queueLogger: Logger;
  stopping: AbortSignal;
}

/**
 * Runs workers until `stopping` is aborted; the promise resolves when the jobs begun by then have ended.
 * The queue's workers end themselves when the database did not take the result of a job: then new ones start,
 * the old ones finish what they have, and what they could not give back is unlocked.
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const ending = new Set<Promise<void>>();
  while (!options.stopping.aborted) {
    const { failed, ended } = startWorkers(options);
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
    await failed;
    if (!options.stopping.aborted) await delay(RETRY_MS);
  }
  await Promise.all(ending);
}

interface Workers {
  /** These workers take no more jobs. */
  failed: Promise<void>;
  /** Their jobs have ended and nothing is locked by them any more, unless the database went away for good. */
  ended: Promise<void>;
}

function startWorkers(options: WorkersOptions): Workers {
  const { lock, stopping } = options;
  const events: WorkerEvents = new EventEmitter();
  const failed = Promise.withResolvers<void>();
  const created = Promise.withResolvers<string>();
  const released = new AbortController();
  const untilIdle = watchJobs(events);
  const share = shareWorkers(events, {
    concurrency: options.concurrency,
    level: () =>
      levelJobs(options.pool).catch((error: unknown) => options.log.warn({ error }, 'the jobs could not be leveled')),
  });
  const workers = runTaskList(
    {
      concurrency: options.concurrency,
      pollInterval: options.pollIntervalMs,
      noHandleSignals: true,
      logger: options.queueLogger,
      events,
      // Asked before every fetch: no job is taken that nobody would release after our death.
      forbiddenFlags: async () => {
        await lock.covers(await created.promise);
        return share();
      },
      // Without batches the queue leaves the promise of an ended job alone, and its rejection ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    toTaskList(options, created.promise, released.signal),
    options.pool,
  );
  created.resolve(workers.id);

  let ending = false;
  const end = (): void => {
    failed.resolve();
    if (!ending) Promise.resolve(workers.gracefulShutdown()).catch(() => undefined);
    ending = true;
  };
  events.on('pool:fatalError', () => {
    // They shut down by themselves.
    ending = true;
    failed.resolve();
  });
  // The queue keeps the failure of its first query for good: workers that never fetched are replaced.
  let fetched = false;
  events.on('worker:getJob:empty', () => (fetched = true));
  events.on('job:start', () => (fetched = true));
  events.on('worker:getJob:error', () => {
    if (!fetched) end();
  });
  stopping.addEventListener('abort', end, { once: true });
  const stopListening = lock.onReleased(() => {
    released.abort();
    // New workers have another id: what these still do cannot be mixed up with what is taken from now on.
    end();
  });

  // The queue counts results that could not be written wrongly: after several of them its own promise never settles, and the jobs would
  // stay locked as long as this process lives.
  const idle = failed.promise.then(async () => {
    await untilIdle();
    await delay(RESULTS_MS, undefined, { ref: false });
  });
  const ended = Promise.race([workers.promise, idle])
    .catch(() => undefined)
    .then(async () => {
      stopping.removeEventListener('abort', end);
      stopListening();
      failed.resolve();
      await unlock(options, workers.id);
    });
  return { failed: failed.promise, ended };
}

/** Returns what waits until no worker has a job, or fetches one: a fetch under way may bring one though they end. */
function watchJobs(events: WorkerEvents): () => Promise<void> {
  const busy = new Set<Worker>();
  events.on('worker:getJob:start', ({ worker }) => busy.add(worker));
  events.on('worker:getJob:empty', ({ worker }) => busy.delete(worker));
  events.on('worker:getJob:error', ({ worker }) => busy.delete(worker));
  events.on('worker:fatalError', ({ worker }) => busy.delete(worker));
  events.on('job:complete', ({ worker }) => busy.delete(worker));
  return async () => {
    while (busy.size > 0) await delay(LOOK_MS);
  };
}

/**
 * A job that ended after the others took us for dead is no longer ours to finish: it may be running there already.
 * The queue takes a success from anybody, but a failure only from the workers that hold the job.
 */
function toTaskList(options: WorkersOptions, workersId: Promise<string>, released: AbortSignal): TaskList {
  const { tasks, lock } = options;
  const guarded = Object.entries(tasks).map(([name, task]) => [
    name,
    (payload: unknown, { job }: { job: Job }): Promise<void> =>
      runLogged(options, job, async () => {
        await task(payload);
        if ((await lock.covers(await workersId)) && !released.aborted) return;
        throw new PlatenError('job_released', 'The job was given to another runner while it ran.');
      }),
  ]);
  return Object.fromEntries(guarded) as TaskList;
}

/** Whatever a job logs names its shop, and so does its failure. */
async function runLogged({ log, nameShop }: WorkersOptions, job: Job, run: () => Promise<void>): Promise<void> {
  const shopId = toShopId(job);
  const shop = shopId === null ? null : await nameShop(shopId);
  await withLogFields(shop === null ? {} : { shop }, async () => {
    try {
      await run();
    } catch (error) {
      logFailure(log, job, error);
      throw error;
    }
  });
}

/** The shop that a job is for: a flag says so, or the payload. */
function toShopId({ flags, payload }: Job): number | null {
  const flag = Object.keys(flags ?? {}).find((name) => name.startsWith('shop:'));
  const { shopId } = payload as { shopId?: unknown };
  const id = Number(flag?.slice('shop:'.length) ?? shopId);
  return Number.isSafeInteger(id) ? id : null;
}

async function unlock({ pool, lock, stopping }: WorkersOptions, workersId: string): Promise<void> {
  for (;;) {
    try {
      await pool.query('select graphile_worker.force_unlock_workers($1)', [[workersId]]);
      lock.forget(workersId);
      return;
    } catch {
      // The other runners do it once our lock is gone.
      if (stopping.aborted) return;
      await delay(RETRY_MS);
    }
  }
}

/** Task, ids and what went wrong; never the payload. */
function logFailure(log: Log, job: Job, error: unknown): void {
  const details = {
    task: job.task_identifier,
    jobId: job.id,
    attempts: job.attempts,
    maxAttempts: job.max_attempts,
    error,
  };
  if (job.attempts >= job.max_attempts) log.error(details, 'a job failed for the last time');
  else log[levelOf(error)](details, 'a job failed and will be retried');
}
