import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { PlatenError } from '../../errors.ts';
import { withinTime, type Clock } from '../../clock.ts';
import { levelOf, withLogFields, type Log } from '../../log.ts';
import type { Trace } from '../../tracing/work.ts';
import { removeReadyJob } from '../backlogs.ts';
import { SHOP } from '../enqueue.ts';
import type { RunnerLock } from './hold-runner-lock.ts';
import { isLostConnection } from './is-lost-connection.ts';
import { levelJobs } from './level-jobs.ts';
import { toClaimLimits } from './to-claim-limits.ts';
import {
  releaseUnknownJobs,
  claimJobs,
  RELEASE_WORKERS,
  recordFinishedJobs,
  type FinishedJob,
  type Job,
} from './claim-jobs.ts';

const RETRY_MS = 500;
/** The maximum number of attempts to record ended jobs. A job whose end is not recorded runs again. */
const MAX_WRITE_ATTEMPTS = 3;
/**
 * How long to wait after a notice before looking for jobs. A job that adds another job to its queue ends shortly afterward, and after this
 * wait, one query finds both changes.
 */
const GATHER_MS = 3;
/** How long to wait if another process has just locked the next jobs. */
const LOST_MS = 50;
/** How long to wait after a query that had to skip jobs and found no other job. Such a query reads past all the skipped jobs. */
const SKIP_MS = 100;
/** The shortest interval between leveling passes. In addition, the passes never use more than a twentieth of the time. */
const LEVEL_MS = 1_000;
const LEVEL_INTERVAL_FACTOR = 20;

interface WorkersOptions {
  clock: Clock;
  pool: Pool;
  tasks: Record<string, (payload: unknown) => Promise<void>>;
  concurrency: number;
  pollIntervalMs: number;
  lock: RunnerLock;
  log: Log;
  /** Returns a shop's domain, for the log. */
  nameShop: (shopId: number) => Promise<string | null>;
  trace: Trace;
  stopping: AbortSignal;
}

/**
 * Runs workers until `stopping` is aborted, and resolves once every started job has ended. New workers replace the old ones if finished
 * jobs could not be recorded, or if other runners released this runner's jobs. The old workers finish their jobs, then release any locks
 * that they still hold.
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const ending = new Set<Promise<void>>();
  while (!options.stopping.aborted) {
    const { failed, ended } = startWorkers(options);
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
    await failed;
    if (!options.stopping.aborted) await options.clock.sleep(RETRY_MS);
  }
  await Promise.all(ending);
}

interface Workers {
  /** Resolves when these workers stop claiming jobs. */
  failed: Promise<void>;
  /** Resolves when the workers' jobs have ended and their locks are released, unless the database is permanently unavailable. */
  ended: Promise<void>;
}

/** Runs one loop for all of the process's workers. The loop records finished jobs, then claims free jobs. */
function startWorkers(options: WorkersOptions): Workers {
  const { clock, pool, tasks, concurrency, pollIntervalMs, lock, log, stopping } = options;
  const workersId = `pool-${randomBytes(9).toString('hex')}`;
  const running = new Map<string, string[]>();
  let endings: FinishedJob[] = [];
  const failed = Promise.withResolvers<void>();
  const [ending, released] = [new AbortController(), new AbortController()];
  let wakeSignal = Promise.withResolvers<void>();
  let nextClaimAt = 0;
  let restUntil = 0;
  let nextLevelingAt = 0;
  /** True if a due job remains, which may run as soon as another job ends. */
  let hasDueJobs = false;
  /** True if the database may list jobs for these workers that the workers do not run. */
  let mayHoldUnknownJobs = false;

  function wakeLoop(): void {
    wakeSignal.resolve();
    wakeSignal = Promise.withResolvers();
  }

  function end(): void {
    ending.abort();
    failed.resolve();
    wakeLoop();
  }

  async function correctLevels(): Promise<void> {
    const begun = clock.ticks();
    nextLevelingAt = Infinity;
    await levelJobs(pool).catch((error: unknown) =>
      log.warn({ error }, 'the levels of the jobs could not be corrected'),
    );
    const ended = clock.ticks();
    nextLevelingAt = ended + Math.max(LEVEL_MS, LEVEL_INTERVAL_FACTOR * (ended - begun));
  }

  function begin(job: Job): void {
    running.set(job.id, job.flags);
    for (const flag of job.flags) if (flag.startsWith(SHOP)) removeReadyJob(flag.slice(SHOP.length));
    void runJob(options, job, workersId, released.signal).then((error) => {
      running.delete(job.id);
      endings.push({ id: job.id, error });
      wakeLoop();
    });
  }

  async function recordEndings(): Promise<void> {
    const ended = endings;
    endings = [];
    for (let tries = 1; ; tries += 1) {
      try {
        await recordFinishedJobs(pool, workersId, ended);
        // The next query for jobs also returns when the failed jobs are due again.
        if (hasDueJobs || ended.some(({ error }) => error !== null)) nextClaimAt = 0;
        return;
      } catch (error) {
        if (tries === MAX_WRITE_ATTEMPTS) {
          const jobIds = ended.map(({ id }) => id);
          logProblem(log, error, { jobIds }, 'finished jobs could not be recorded in the database and will run again');
          end();
          return;
        }
        await clock.sleep(RETRY_MS);
      }
    }
  }

  async function claimMoreJobs(): Promise<void> {
    const share = toClaimLimits(running.values(), concurrency);
    // A later notice may concern a job that this query does not see.
    nextClaimAt = Infinity;
    try {
      // Do not claim a job that nobody would release if this process died.
      if (!(await lock.covers(workersId)) || ending.signal.aborted) return;
      if (mayHoldUnknownJobs) {
        mayHoldUnknownJobs = false;
        await releaseUnknownJobs(pool, workersId, [...running.keys(), ...endings.map(({ id }) => id)]);
      }
      const taken = await claimJobs(pool, { workersId, tasks: Object.keys(tasks), ...share });
      for (const job of taken.jobs) begin(job);
      hasDueJobs = taken.dueInMs !== null && taken.dueInMs <= 0;
      if (taken.jobs.length === 0 && share.skip.length > 0) restUntil = clock.ticks() + SKIP_MS;
      let waitMs = Math.min(hasDueJobs || taken.dueInMs === null ? pollIntervalMs : taken.dueInMs + 1, pollIntervalMs);
      if (taken.lost > 0) waitMs = Math.min(waitMs, LOST_MS);
      if (taken.jobs.length > 0 && hasDueJobs) waitMs = 0;
      nextClaimAt = Math.min(nextClaimAt, clock.ticks() + waitMs);
      if (running.size * 2 >= concurrency && clock.ticks() >= nextLevelingAt) void correctLevels();
    } catch (error) {
      logProblem(log, error, {}, 'no jobs could be claimed; retrying');
      // The server may have claimed jobs before the connection failed.
      mayHoldUnknownJobs = true;
      nextClaimAt = clock.ticks() + RETRY_MS;
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted || running.size + endings.length > 0) {
      if (endings.length > 0) {
        await recordEndings();
        continue;
      }
      const isAnyFull = toClaimLimits(running.values(), concurrency).skip.length > 0;
      const waitsMs = Math.max(nextClaimAt, isAnyFull ? restUntil : 0) - clock.ticks();
      const canClaim = !ending.signal.aborted && running.size < concurrency;
      if (canClaim && waitsMs <= 0) await claimMoreJobs();
      else {
        const milliseconds = canClaim ? waitsMs : pollIntervalMs;
        await withinTime(clock, { work: wakeSignal.promise, milliseconds, late: () => undefined });
      }
    }
    await releaseJobs(options, workersId);
  }

  if (stopping.aborted) end();
  stopping.addEventListener('abort', end, { once: true });
  const stopNotices = lock.onNotice((from) => {
    // Notices from these workers are ignored: after they free queues, they check for jobs anyway.
    if (from === workersId) return;
    nextClaimAt = Math.min(nextClaimAt, clock.ticks() + (running.size > 0 ? GATHER_MS : 0));
    wakeLoop();
  });
  const stopReconnects = lock.onReconnect((wasReleased) => {
    // A database that crashed may have lost the recorded ends of jobs.
    mayHoldUnknownJobs = true;
    if (!wasReleased) return;
    released.abort();
    // New workers have another ID, so the old workers' actions cannot affect newly claimed jobs.
    end();
  });
  const ended = run().finally(() => {
    stopping.removeEventListener('abort', end);
    stopNotices();
    stopReconnects();
  });
  return { failed: failed.promise, ended };
}

/**
 * Runs a job to its end. Returns the reason for its failure, or null. The job's log lines, including its failure, contain its shop's
 * name. If other runners consider this process dead, the job's end is not recorded, because another runner may already be running it.
 */
async function runJob(
  { tasks, lock, log, nameShop, trace }: WorkersOptions,
  job: Job,
  workersId: string,
  released: AbortSignal,
): Promise<string | null> {
  const shopId = toShopId(job);
  const shop = shopId === null ? null : await nameShop(shopId).catch(() => null);
  return withLogFields(shop === null ? {} : { shop }, async () => {
    try {
      const task = tasks[job.task];
      if (!task) throw new PlatenError('unknown_task', `This process does not have the task ${job.task}.`);
      const begun = { name: job.task, kind: 'job' as const, attributes: { 'platen.job.attempt': job.attempts } };
      await trace(begun, () => task(job.payload));
      if ((await lock.covers(workersId)) && !released.aborted) return null;
      throw new PlatenError('job_released', 'The job was released to another runner while it was running.');
    } catch (error) {
      logFailure(log, job, error);
      return describeError(error);
    }
  });
}

/** Returns a job's shop, from a flag or the payload. */
function toShopId({ flags, payload }: Job): number | null {
  const flag = flags.find((name) => name.startsWith(SHOP));
  const { shopId } = payload as { shopId?: unknown };
  const id = Number(flag?.slice(SHOP.length) ?? shopId);
  return Number.isSafeInteger(id) ? id : null;
}

async function releaseJobs({ clock, pool, lock, stopping }: WorkersOptions, workersId: string): Promise<void> {
  for (;;) {
    try {
      await pool.query(RELEASE_WORKERS, [[workersId]]);
      lock.forget(workersId);
      return;
    } catch {
      // Other runners release the jobs once this runner's lock is free.
      if (stopping.aborted) return;
      await clock.sleep(RETRY_MS);
    }
  }
}

/** Logs a lost connection only at debug level, because hold-runner-lock.ts logs when a database outage starts and ends. */
function logProblem(log: Log, error: unknown, details: object, message: string): void {
  log[isLostConnection(error) ? 'debug' : 'warn']({ ...details, error }, message);
}

/** Returns the error as the job stores it: an expected error begins with its code, such as `print_unclear: …`. */
function describeError(error: unknown): string {
  const message = (error instanceof Error && error.message) || String(error) || 'an error without a message';
  return error instanceof PlatenError ? `${error.code}: ${message}` : message;
}

/** Logs the task, IDs and error, but never the payload. */
function logFailure(log: Log, job: Job, error: unknown): void {
  const details = { task: job.task, jobId: job.id, attempts: job.attempts, maxAttempts: job.maxAttempts, error };
  if (job.attempts >= job.maxAttempts) log.error(details, 'a job failed for the last time');
  else log[levelOf(error)](details, 'a job failed and will be retried');
}
