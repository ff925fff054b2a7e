/**
 * SQL: whether a job of one of these keys (SQL expressions, separated by commas) waits or runs. One that failed for the last time is none,
 * and may be enqueued anew; one that was set aside, since processes died in it, counts as one: no poll brings it back.
 */
export function hasJob(keys: string): string {
  return `exists (select from graphile_worker.jobs j where j.key in (${keys}) and (j.attempts < j.max_attempts
    or exists (select from job_deaths d where d.job_id = j.id and d.deaths > 1)))`;
}

/**
 * SQL: whether a job of this key (an SQL expression) is next, behind nothing of a smaller priority, and has not begun. All that it will read is as it is now or later: for what
 * is committed already it need not be enqueued again.
 */
export function hasDueJob(key: string): string {
  return `exists (select from graphile_worker.jobs j where j.key = ${key} and j.locked_at is null and j.attempts = 0
    and j.priority <= 0 and j.run_at <= now())`;
}
