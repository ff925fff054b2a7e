import type { DataSource } from 'typeorm';

/** Copies of the rows of all tables, by name. */
export interface Snapshots {
  keep: (name: string) => Promise<void>;
  /** Brings back the rows, as a restored backup would, while the app keeps its connections. The sequences continue. */
  putBack: (name: string) => Promise<void>;
}

/** Opens the snapshots of a clocked database (clocked-database.ts). */
export async function openSnapshots(db: DataSource): Promise<Snapshots> {
  await db.query(FUNCTIONS);
  return {
    keep: async (name) => void (await db.query('select clock.keep($1)', [name])),
    putBack: async (name) => void (await db.query('select clock.put_back($1)', [name])),
  };
}

/** SQL: the tables whose rows a backup contains, with their columns. */
export const BACKED_UP_TABLES = `
    select c.table_schema as schema, c.table_name as name, string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' and t.table_name not like '%migrations'
      and (c.table_schema = 'public' or (c.table_schema = 'graphile_worker' and c.table_name in ('_private_jobs', '_private_job_queues')))
    group by 1, 2`;

const FUNCTIONS = `
  -- The process that runs jobs stays the same.
  create or replace view clock.tables as select * from (${BACKED_UP_TABLES}) t where name <> 'job_runners';
  create or replace function clock.keep(slot text) returns void language plpgsql as $$
    declare one record;
    begin
      for one in select * from clock.tables loop
        execute format('drop table if exists clock.%I', slot || one.name);
        execute format('create table clock.%I as select %s from %I.%I', slot || one.name, one.columns, one.schema, one.name);
      end loop;
    end $$;
  create or replace function clock.put_back(slot text) returns void language plpgsql as $$
    declare one record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for one in select * from clock.tables loop
        execute format('delete from %I.%I', one.schema, one.name);
        execute format('insert into %I.%I (%s) overriding system value select %s from clock.%I', one.schema, one.name, one.columns, one.columns, slot || one.name);
      end loop;
    end $$;
`;
