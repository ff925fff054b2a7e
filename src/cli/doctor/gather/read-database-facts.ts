import type { DataSource } from 'typeorm';
import { describeLack } from '../../../database/error-code.ts';
import type { DatabaseFacts, MigrationFacts } from '../find/find-database-problems.ts';

const SETTINGS = `
  select current_setting('server_version_num')::int as version, current_setting('max_connections')::int as "maxConnections",
    current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true), '0')::int
      as "reservedConnections",
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
    (select least(nullif(d.datconnlimit, -1) - (select count(*)::int from pg_stat_activity a where a.datid = d.oid),
        nullif(r.rolconnlimit, -1) - (select count(*)::int from pg_stat_activity a where a.usesysid = r.oid))
      from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user) as "allowedConnections",
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
    current_setting('server_encoding') as encoding, current_setting('DateStyle') as "dateStyle",
    current_setting('default_transaction_isolation') as isolation,
    json_build_object('fsync', current_setting('fsync'), 'full_page_writes', current_setting('full_page_writes'),
      'synchronous_commit', current_setting('synchronous_commit')) as durability`;

/** Text that PostgreSQL cannot compress, so that it needs 128 KiB of the disk, and is gone after the transaction. */
const PROBE = `create temporary table platen_disk_probe on commit drop as
  select string_agg(md5(row::text || part::text), '') as text
  from generate_series(1, 16) row, generate_series(1, 256) part group by row`;

/** Reads the version and the settings of PostgreSQL, and tries to store data. */
export async function readDatabaseFacts(db: DataSource): Promise<DatabaseFacts> {
  const [facts] = await db.query<Omit<DatabaseFacts, 'lack'>[]>(SETTINGS);
  if (!facts) throw new Error('the database returned no settings');
  return { ...facts, lack: await tryToStore(db) };
}

/** Reads succeed while the disk is full. Returns what the server lacks, or null, also if the role may not create a temporary table. */
async function tryToStore(db: DataSource): Promise<string | null> {
  return db.transaction((manager) => manager.query(PROBE)).then(() => null, describeLack);
}

/** Compares this version's migrations with those that the database records. */
export async function readMigrationFacts(db: DataSource): Promise<MigrationFacts> {
  const [has] = await db.query<{ migrations: boolean; queue: boolean }[]>(
    `select to_regclass('migrations') is not null as migrations, to_regnamespace('graphile_worker') is not null as queue`,
  );
  const rows = has?.migrations ? await db.query<{ name: string }[]>('select name from migrations order by id') : [];
  const done = new Set(rows.map(({ name }) => name));
  const known = new Set(db.migrations.map((migration) => migration.name ?? migration.constructor.name));
  return {
    pending: [...known.difference(done)],
    unknown: [...done.difference(known)],
    hasQueue: has?.queue === true,
  };
}
