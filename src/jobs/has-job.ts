import { ORDERS, toClassSql } from './priorities.ts';

/**
 * Returns SQL for whether a job with one of these keys (comma-separated SQL expressions) is waiting or running. A job that failed for the
 * last time does not count, and may be enqueued again. A job that was set aside because processes died while running it does count, so no
 * poll enqueues it again.
 */
export function hasJobSql(keys: string): string {
  return `exists (select from graphile_worker.jobs j where j.key in (${keys}) and (j.attempts < j.max_attempts
    or exists (select from job_deaths d where d.job_id = j.id and d.deaths > 1)))`;
}

/**
 * Returns SQL for whether a job with this key (an SQL expression) is due but has not started, and its class runs before readings and bulk
 * work. Such a job will read the current or a later state, so committed changes need no other job.
 */
export function hasDueJobSql(key: string): string {
  return `exists (select from graphile_worker.jobs j where j.key = ${key} and j.locked_at is null and j.attempts = 0
    and ${toClassSql('j.priority')} <= ${ORDERS} and j.run_at <= now())`;
}
