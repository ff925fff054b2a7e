import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { PlatenError } from '../../errors.ts';
import { levelOf, withLogFields, type Log } from '../../log.ts';
import { removeReady } from '../backlogs.ts';
import { SHOP } from '../enqueue.ts';
import type { RunnerLock } from './hold-runner-lock.ts';
import { isLostConnection } from './is-lost-connection.ts';
import { levelJobs } from './level-jobs.ts';
import { shareWorkers } from './share-workers.ts';
import { takeJobs, UNLOCK, writeEnds, type EndedJob, type Job } from './take-jobs.ts';

const RETRY_MS = 500;
/** The ends of jobs are written again so often: a job whose end is not written is run again. */
const WRITES = 3;
/** A job that adds another one of its queue ends a moment later: one look is enough for both. */
const GATHER_MS = 3;
/** Another process held the next jobs in the moment of a look. */
const LOST_MS = 50;
/** A look that skipped jobs and found no other reads past all of them: the next one waits. */
const SKIP_MS = 100;
/** Jobs are leveled at most so often, and never for more than a twentieth of the time. */
const LEVEL_MS = 1_000;
const LEVEL_REST = 20;

interface WorkersOptions {
  pool: Pool;
  tasks: Record<string, (payload: unknown) => Promise<void>>;
  concurrency: number;
  pollIntervalMs: number;
  lock: RunnerLock;
  log: Log;
  /** The domain of a shop, for the log. */
  nameShop: (shopId: number) => Promise<string | null>;
  stopping: AbortSignal;
}

/**
 * Runs workers until `stopping` is aborted; the promise resolves when the jobs begun by then have ended.
 * When the database did not take the ends of jobs, or gave them to others, new workers start: the old ones finish what they have, and
 * what they could not give back is unlocked.
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

/** One loop for all workers of the process: it writes the ends of all jobs that have ended meanwhile, then takes what is free to run. */
function startWorkers(options: WorkersOptions): Workers {
  const { pool, tasks, concurrency, pollIntervalMs, lock, log, stopping } = options;
  const workersId = `pool-${randomBytes(9).toString('hex')}`;
  const running = new Map<string, string[]>();
  let endings: EndedJob[] = [];
  const failed = Promise.withResolvers<void>();
  const [ending, released] = [new AbortController(), new AbortController()];
  let bell = Promise.withResolvers<void>();
  let lookAt = 0;
  let restUntil = 0;
  let levelAt = 0;
  /** A job is due and was left: it may run as soon as another one has ended. */
  let isDueLeft = false;

  function ring(): void {
    bell.resolve();
    bell = Promise.withResolvers();
  }

  function end(): void {
    ending.abort();
    failed.resolve();
    ring();
  }

  async function levelAgain(): Promise<void> {
    const begun = performance.now();
    levelAt = Infinity;
    await levelJobs(pool).catch((error: unknown) => log.warn({ error }, 'the jobs could not be leveled'));
    const ended = performance.now();
    levelAt = ended + Math.max(LEVEL_MS, LEVEL_REST * (ended - begun));
  }

  function begin(job: Job): void {
    running.set(job.id, job.flags);
    for (const flag of job.flags) if (flag.startsWith(SHOP)) removeReady(flag.slice(SHOP.length));
    void runJob(options, job, workersId, released.signal).then((error) => {
      running.delete(job.id);
      endings.push({ id: job.id, error });
      ring();
    });
  }

  async function write(): Promise<void> {
    const ended = endings;
    endings = [];
    for (let tries = 1; ; tries += 1) {
      try {
        await writeEnds(pool, workersId, ended);
        // Also to know when those that failed are due.
        if (isDueLeft || ended.some(({ error }) => error !== null)) lookAt = 0;
        return;
      } catch (error) {
        if (tries === WRITES) {
          const jobIds = ended.map(({ id }) => id);
          logProblem(log, error, { jobIds }, 'the database did not take the ends of jobs; they are run again');
          end();
          return;
        }
        await delay(RETRY_MS);
      }
    }
  }

  async function look(): Promise<void> {
    const share = shareWorkers(running.values(), concurrency);
    // A notice from now on is of a job that this look may not see.
    lookAt = Infinity;
    try {
      // No job is taken that nobody would release after our death.
      if (!(await lock.covers(workersId)) || ending.signal.aborted) return;
      const taken = await takeJobs(pool, { workersId, tasks: Object.keys(tasks), ...share });
      for (const job of taken.jobs) begin(job);
      isDueLeft = taken.dueInMs !== null && taken.dueInMs <= 0;
      if (taken.jobs.length === 0 && share.skip.length > 0) restUntil = performance.now() + SKIP_MS;
      let waitMs = Math.min(isDueLeft || taken.dueInMs === null ? pollIntervalMs : taken.dueInMs + 1, pollIntervalMs);
      if (taken.lost > 0) waitMs = Math.min(waitMs, LOST_MS);
      if (taken.jobs.length > 0 && isDueLeft) waitMs = 0;
      lookAt = Math.min(lookAt, performance.now() + waitMs);
      if (running.size * 2 >= concurrency && performance.now() >= levelAt) void levelAgain();
    } catch (error) {
      logProblem(log, error, {}, 'no jobs could be taken; it is tried again');
      lookAt = performance.now() + RETRY_MS;
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted || running.size + endings.length > 0) {
      if (endings.length > 0) {
        await write();
        continue;
      }
      const isAnyFull = shareWorkers(running.values(), concurrency).skip.length > 0;
      const waitsMs = Math.max(lookAt, isAnyFull ? restUntil : 0) - performance.now();
      const mayLook = !ending.signal.aborted && running.size < concurrency;
      if (mayLook && waitsMs <= 0) await look();
      else await waitFor(bell.promise, mayLook ? waitsMs : pollIntervalMs);
    }
    await unlock(options, workersId);
  }

  if (stopping.aborted) end();
  stopping.addEventListener('abort', end, { once: true });
  const stopNotices = lock.onNotice((from) => {
    // We free a queue while we write ends, and look then.
    if (from === workersId) return;
    lookAt = Math.min(lookAt, performance.now() + (running.size > 0 ? GATHER_MS : 0));
    ring();
  });
  const stopReleases = lock.onReleased(() => {
    released.abort();
    // New workers have another id: what these still do cannot be mixed up with what is taken from now on.
    end();
  });
  const ended = run().finally(() => {
    stopping.removeEventListener('abort', end);
    stopNotices();
    stopReleases();
  });
  return { failed: failed.promise, ended };
}

/** Resolves after this time, or with the promise. */
async function waitFor(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, time]);
  clearTimeout(timer);
}

/**
 * Runs a job to its end; returns why it failed, or null. Whatever it logs names its shop, and so does its failure.
 * A job that ended after the others took us for dead is no longer ours to finish: it may be running there already.
 */
async function runJob(
  { tasks, lock, log, nameShop }: WorkersOptions,
  job: Job,
  workersId: string,
  released: AbortSignal,
): Promise<string | null> {
  const shopId = toShopId(job);
  const shop = shopId === null ? null : await nameShop(shopId).catch(() => null);
  return withLogFields(shop === null ? {} : { shop }, async () => {
    try {
      const task = tasks[job.task];
      if (!task) throw new PlatenError('unknown_task', `This process does not know the task ${job.task}.`);
      await task(job.payload);
      if ((await lock.covers(workersId)) && !released.aborted) return null;
      throw new PlatenError('job_released', 'The job was given to another runner while it ran.');
    } catch (error) {
      logFailure(log, job, error);
      return (error instanceof Error && error.message) || String(error) || 'an error without a message';
    }
  });
}

/** The shop that a job is for: a flag says so, or the payload. */
function toShopId({ flags, payload }: Job): number | null {
  const flag = flags.find((name) => name.startsWith(SHOP));
  const { shopId } = payload as { shopId?: unknown };
  const id = Number(flag?.slice(SHOP.length) ?? shopId);
  return Number.isSafeInteger(id) ? id : null;
}

async function unlock({ pool, lock, stopping }: WorkersOptions, workersId: string): Promise<void> {
  for (;;) {
    try {
      await pool.query(UNLOCK, [[workersId]]);
      lock.forget(workersId);
      return;
    } catch {
      // The other runners do it once our lock is gone.
      if (stopping.aborted) return;
      await delay(RETRY_MS);
    }
  }
}

/** An outage of the database is a start and an end in the log (hold-runner-lock.ts), and not each try in between. */
function logProblem(log: Log, error: unknown, details: object, message: string): void {
  log[isLostConnection(error) ? 'debug' : 'warn']({ ...details, error }, message);
}

/** Task, ids and what went wrong; never the payload. */
function logFailure(log: Log, job: Job, error: unknown): void {
  const details = { task: job.task, jobId: job.id, attempts: job.attempts, maxAttempts: job.maxAttempts, error };
  if (job.attempts >= job.maxAttempts) log.error(details, 'a job failed for the last time');
  else log[levelOf(error)](details, 'a job failed and will be retried');
}
