import type { Pool } from 'pg';
import { LONG, SHOP } from '../enqueue.ts';

/** A job that this process runs. */
export interface Job {
  id: string;
  task: string;
  payload: unknown;
  /** The number of attempts, including the current one. */
  attempts: number;
  maxAttempts: number;
  flags: string[];
}

export interface ClaimOptions {
  /** The ID of the workers that claim the jobs. */
  workersId: string;
  tasks: readonly string[];
  /** The number of free workers. */
  most: number;
  /** Jobs with one of these flags are skipped, because running jobs have used up the flag's share of the workers. */
  skip: readonly string[];
  /** How many running jobs have each flag. They count toward the limits for one shop and for long jobs. */
  running: ReadonlyMap<string, number>;
  maxPerShop: number;
  maxLong: number;
}

interface ClaimedRow {
  jobs: Job[];
  /** How many of the next jobs were not claimed because other processes had locked them. More jobs may follow them. */
  lost: number;
  /** When the next job is due, in ms from now. Zero or less if a due job was not claimed because its queue or all workers are busy. */
  dueInMs: number | null;
}

/**
 * A query reads this many times more jobs than it may claim, because some jobs wait in the queues of earlier jobs or exceed their shop's
 * share.
 */
const LOOK_AHEAD = 4;

/**
 * Claims the next jobs in one statement, by priority and then by time. Claims at most one job per queue, and respects the limits for one
 * shop and for long jobs. The statement touches only the rows of the claimed jobs' queues. In contrast, graphile-worker's own query locks
 * all free queues each time.
 */
export async function claimJobs(pool: Pool, options: ClaimOptions): Promise<ClaimedRow> {
  const { workersId, tasks, most, skip, running, maxPerShop, maxLong } = options;
  const { rows } = await pool.query<ClaimedRow & { jobs: Job[] | null }>({
    name: 'take_jobs',
    text: CLAIM,
    values: [workersId, tasks, skip, most, JSON.stringify(Object.fromEntries(running)), maxPerShop, maxLong],
  });
  const [row] = rows;
  return { jobs: row?.jobs ?? [], lost: row?.lost ?? 0, dueInMs: row?.dueInMs ?? null };
}

const CLAIM = `
  with tasks as materialized (
    select array_agg(id) as ids from graphile_worker._private_tasks where identifier = any ($2)
  ), first as materialized (
    select id, job_queue_id, priority, run_at, substring(flags::text from '${SHOP}([0-9]+)') as shop,
      coalesce(flags ? '${LONG}', false) as is_long
    from graphile_worker._private_jobs jobs
    where is_available and run_at <= now() and task_id = any ((select ids from tasks)::int[])
      and (cardinality($3::text[]) = 0 or (flags ?| $3) is not true)
      and (job_queue_id is null
        or (select q.locked_at is null from graphile_worker._private_job_queues q where q.id = jobs.job_queue_id))
    order by priority, run_at limit $4::int * ${LOOK_AHEAD}
  ), chosen as materialized (
    select id, job_queue_id from (
      select *, row_number() over (partition by shop order by priority, run_at, id) as of_shop,
        row_number() over (partition by is_long order by priority, run_at, id) as of_long
      from (
        select *, row_number() over (partition by coalesce(job_queue_id, -id) order by priority, run_at, id) as of_queue from first
      ) as queued where of_queue = 1
    ) as ranked
    where (shop is null or of_shop + coalesce(($5::jsonb ->> ('${SHOP}' || shop))::int, 0) <= $6::int)
      and (not is_long or of_long + coalesce(($5::jsonb ->> '${LONG}')::int, 0) <= $7::int)
    order by priority, run_at, id limit $4::int
  ), free as materialized (
    select id from graphile_worker._private_job_queues
    where id = any (array(select job_queue_id from chosen)) and locked_at is null for update skip locked
  ), locked as materialized (
    select id, job_queue_id from graphile_worker._private_jobs
    where id = any (array(select id from chosen)) and is_available
      and (job_queue_id is null or job_queue_id = any (array(select id from free))) for update skip locked
  ), queues as (
    update graphile_worker._private_job_queues set locked_by = $1, locked_at = now()
    where id = any (array(select job_queue_id from locked))
  ), taken as (
    update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = $1, locked_at = now()
    where id = any (array(select id from locked)) returning *
  )
  select (select count(*)::int from chosen) - (select count(*)::int from taken) as lost,
    (select json_agg(json_build_object('id', j.id::text, 'task', t.identifier, 'payload', j.payload, 'attempts', j.attempts,
       'maxAttempts', j.max_attempts, 'flags', array(select jsonb_object_keys(coalesce(j.flags, '{}')))) order by j.priority, j.run_at, j.id)
     from taken j join graphile_worker._private_tasks t on t.id = j.task_id) as jobs,
    (select (extract(epoch from run_at - now()) * 1000)::float8 from graphile_worker._private_jobs
     where is_available and task_id = any ((select ids from tasks)::int[]) and id <> all (array(select id from locked))
     order by run_at limit 1) as "dueInMs"`;

/** A job that has ended. `error` is the reason for its failure. */
export interface FinishedJob {
  id: string;
  error: string | null;
}

/**
 * Records ended jobs in one statement. Failed jobs are retried later, and the jobs' queues are freed. Jobs that have meanwhile been
 * released to another runner are not changed.
 */
export async function recordFinishedJobs(pool: Pool, workersId: string, ended: readonly FinishedJob[]): Promise<void> {
  await pool.query({ name: 'write_ends', text: RECORD_FINISHED, values: [workersId, JSON.stringify(ended)] });
}

const RECORD_FINISHED = `
  with ended as materialized (
    select id, error from json_to_recordset($2::json) as ended (id bigint, error text)
  ), done as (
    delete from graphile_worker._private_jobs
    where id = any (array(select id from ended where error is null)) and locked_by = $1 returning job_queue_id
  ), failed as (
    update graphile_worker._private_jobs jobs
    set last_error = ended.error, run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second',
      locked_by = null, locked_at = null
    from ended
    where jobs.id = ended.id and ended.error is not null and jobs.locked_by = $1 returning job_queue_id
  )
  update graphile_worker._private_job_queues set locked_by = null, locked_at = null
  where locked_by = $1 and id = any (array(select job_queue_id from done union all select job_queue_id from failed))`;

/**
 * Releases the jobs and queues that the database lists for these workers although the workers do not run them. The response to a claim may
 * have been lost, or a database crash may have lost the record of a job's end. Other runners do not release the jobs of a live runner.
 */
export async function releaseUnknownJobs(pool: Pool, workersId: string, knownIds: readonly string[]): Promise<void> {
  await pool.query(RELEASE_UNKNOWN, [workersId, knownIds]);
}

const RELEASE_UNKNOWN = `
  with released as (
    update graphile_worker._private_jobs set locked_by = null, locked_at = null where locked_by = $1 and id <> all ($2::bigint[])
  )
  update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
  where locked_by = $1 and not exists (
    select from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.locked_by = $1 and j.id = any ($2::bigint[]))`;

/**
 * SQL that releases all jobs that these workers hold, and notifies all runners. The commit is synchronous, because nothing else would
 * release the jobs.
 */
export const RELEASE_WORKERS = `select set_config('synchronous_commit', 'on', true), graphile_worker.force_unlock_workers($1), pg_notify('jobs:insert', '{"count":1}')`;
