import type { Queryable } from './enqueue.ts';

/** A job that is no longer retried. It contains neither the payload nor the error's message. */
export interface FailedJob {
  task: string;
  attempts: number;
  failedAt: Date;
  /** The code of the last error, or `unexpected`. */
  code: string;
}

/** Lists the latest jobs that `countFailedJobs` counts. */
export async function listFailedJobs(queryable: Queryable, most: number): Promise<FailedJob[]> {
  const rows = await queryable.query(
    `select task_identifier as task, attempts, updated_at as "failedAt",
       coalesce(substring(last_error from '^([a-z_]{1,60}): '), 'unexpected') as code
     from graphile_worker.jobs
     where attempts >= max_attempts and locked_at is null and (key is not null or task_identifier = 'handle_delivery')
     order by updated_at desc, id desc limit $1`,
    [most],
  );
  return rows as FailedJob[];
}
