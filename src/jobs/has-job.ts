import { ORDERS, toClassSql } from './priorities.ts';

/**
 * SQL: whether a job of one of these keys (SQL expressions, separated by commas) waits or runs. One that failed for the last time is none,
 * and may be enqueued anew; one that was set aside, since processes died in it, counts as one: no poll brings it back.
 */
export function hasJob(keys: string): string {
  return `exists (select from graphile_worker.jobs j where j.key in (${keys}) and (j.attempts < j.max_attempts
    or exists (select from job_deaths d where d.job_id = j.id and d.deaths > 1)))`;
}

/**
 * SQL: whether a job of this key (an SQL expression) is due, of a class that goes before readings and bulk work, and has not begun. It
 * will read everything as it is now or later: for what is committed already, it need not be enqueued again.
 */
export function hasDueJob(key: string): string {
  return `exists (select from graphile_worker.jobs j where j.key = ${key} and j.locked_at is null and j.attempts = 0
    and ${toClassSql('j.priority')} <= ${ORDERS} and j.run_at <= now())`;
}
