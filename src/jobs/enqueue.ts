import type { TaskName, TaskPayloads } from './tasks.ts';

/** What runs SQL: a TypeORM EntityManager (then the job is part of its transaction) or a DataSource. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

export interface EnqueueOptions {
  /** Jobs of one queue never run in parallel, in the order of `runAt`. */
  queue?: string;
  /** A waiting job of the same key is replaced. */
  key?: string;
  /** What a replacement does to the time of a job that has not been tried yet: takes the new one (default) or keeps its own. */
  keyMode?: 'replace' | 'preserve_run_at';
  /** Not before this time; default: now. */
  runAt?: Date;
  /** Default 25. */
  maxAttempts?: number;
  /** Smaller runs first; default 0. */
  priority?: number;
}

/** Held shared by whoever enqueues and exclusively while idle queues are deleted, see `deleteIdleQueues`. */
export const ENQUEUE_LOCK = '5788046901275';

/**
 * SQL: adds a job for each row of a `from`, in the statement that makes the row; `from`, the values of the payload and the
 * priority are SQL expressions. Like `enqueue`, without a key.
 */
export function enqueueFor<T extends TaskName>(
  from: string,
  task: T,
  payload: Record<keyof TaskPayloads[T] & string, string>,
  priority: string,
): string {
  const pairs = Object.entries(payload).map(([name, value]) => `'${name}', ${String(value)}`);
  return `select graphile_worker.add_job(identifier => '${task}', payload => json_build_object(${pairs.join(', ')}), priority => ${priority})
    from ${from}, (select pg_advisory_xact_lock_shared(${ENQUEUE_LOCK})) as lock`;
}

/**
 * Adds a job that starts within milliseconds of the commit, or never when the transaction rolls back.
 *
 * With a key there is at most one waiting job of it: a second call replaces task, payload, queue and times of the first
 * and resets its attempts. A job that runs already is not touched, since it may have read what changed: the call makes a
 * new job, the running one loses the key and is not retried any more. So a job may enqueue itself again under its own key
 * and return: the new one runs at its `runAt`, and when both have the same queue not before the running one has ended.
 * If it throws after that, the new job is the retry.
 */
export async function enqueue<T extends TaskName>(
  queryable: Queryable,
  task: T,
  payload: TaskPayloads[T],
  options: EnqueueOptions = {},
): Promise<void> {
  await queryable.query(
    `select graphile_worker.add_job(
       identifier => $1::text, payload => $2::json, queue_name => $3::text, run_at => $4::timestamptz,
       max_attempts => $5::int, job_key => $6::text, priority => $7::int, job_key_mode => $8::text
     ) from (select pg_advisory_xact_lock_shared(${ENQUEUE_LOCK})) as lock`,
    [
      task,
      JSON.stringify(payload),
      options.queue ?? null,
      options.runAt?.toISOString() ?? null,
      options.maxAttempts ?? null,
      options.key ?? null,
      options.priority ?? null,
      options.keyMode ?? null,
    ],
  );
}
