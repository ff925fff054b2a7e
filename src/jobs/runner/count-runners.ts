import type { Queryable } from '../enqueue.ts';

/** Counts the job runners that currently have a session with this database. Each runner has one session, for its lock. */
export async function countRunners(queryable: Queryable): Promise<number> {
  const rows = await queryable.query(
    `select count(*)::int as runners from pg_stat_activity
     where datname = current_database() and application_name = 'platen runner'`,
  );
  const [row] = rows as { runners: number }[];
  return row?.runners ?? 0;
}
