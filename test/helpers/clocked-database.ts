import { connectDatabase } from '../../src/database/connect.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

const FROZEN_TIME = `
  create table clock.instant (at timestamptz not null);
  insert into clock.instant values (to_timestamp(0));
`;

/**
 * Returns SQL that makes the database use the clock's time for `now()` and `clock_timestamp()` in statements, in defaults and in TypeORM's
 * queries. `instant` is the SQL expression for the time, and `tables` creates the tables that this expression reads.
 */
const toVirtualTime = (tables: string, instant: string): string => `
  create schema clock;
  ${tables}
  create function clock.now() returns timestamptz stable language sql as '${instant}';
  create function clock.clock_timestamp() returns timestamptz stable language sql as '${instant}';
  create function clock.touch() returns trigger language plpgsql as $$
    begin
      if new.updated_at = pg_catalog.now() then new.updated_at := clock.now(); end if;
      return new;
    end $$;
  do $$
    declare one record;
    begin
      for one in select table_name, column_name from information_schema.columns where table_schema = 'public'
          and (column_default ilike '%now()%' or column_default ilike '%clock_timestamp()%') loop
        execute format('alter table public.%I alter column %I set default clock.now()', one.table_name, one.column_name);
      end loop;
      for one in select table_name from information_schema.columns where table_schema = 'public' and column_name = 'updated_at' loop
        execute format('create trigger touch before insert or update on public.%I for each row execute function clock.touch()', one.table_name);
      end loop;
      execute format('alter database %I set search_path = clock, pg_catalog, public', current_database());
    end $$;
`;

/** Creates a database that uses a clock's time. By default, the time stands still until the test sets it. */
export async function createClockedDatabase(
  time = { tables: FROZEN_TIME, instant: 'select at from clock.instant' },
  serverUrl?: string,
): Promise<TestDatabase> {
  const database = await createTestDatabase(serverUrl);
  await database.db.query(toVirtualTime(time.tables, time.instant));
  await database.db.destroy();
  const db = await connectDatabase({ url: database.url });
  return {
    url: database.url,
    db,
    async drop() {
      await db.destroy();
      await database.drop();
    },
  };
}
