import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../../src/database/connect.ts';
import {
  LOCKS,
  type DescribedMigration,
  type Lock,
  type Work,
} from '../../../src/database/upgrade/described-migration.ts';
import { recordStatements } from '../../../src/database/upgrade/record-statements.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
let migrations: DescribedMigration[];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.query('drop schema public cascade; create schema public; drop schema graphile_worker cascade');
  migrations = database.db.migrations as DescribedMigration[];
});
afterAll(() => database.drop());

interface TableStats {
  id: number;
  name: string;
  node: string;
  scans: number;
}

/** Returns the tables of the schema `public`, each with its file and its number of scans in this transaction. */
function readTables(runner: QueryRunner): Promise<TableStats[]> {
  return runner.query(
    `select c.oid::int as id, c.relname as name, pg_relation_filenode(c.oid)::text as node,
       coalesce(s.seq_scan, 0)::int + coalesce(s.idx_scan, 0)::int as scans
     from pg_class c left join pg_stat_xact_user_tables s on s.relid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'`,
  ) as Promise<TableStats[]>;
}

const toLock = (mode: string): Lock | undefined =>
  LOCKS.find((lock) => `${lock.replaceAll(' ', '').toLowerCase()}lock` === mode.toLowerCase());

/** Returns the locks that this transaction holds on each table. */
async function readLocks(runner: QueryRunner): Promise<Map<number, Set<Lock>>> {
  const rows = (await runner.query(
    `select c.oid::int as id, l.mode from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )) as { id: number; mode: string }[];
  const locks = new Map<number, Set<Lock>>();
  for (const { id, mode } of rows) {
    const lock = toLock(mode);
    if (lock === undefined) throw new Error(`A migration takes the lock ${mode}, which the preflight does not know.`);
    locks.set(id, (locks.get(id) ?? new Set()).add(lock));
  }
  return locks;
}

test('each migration takes exactly the locks and does exactly the work that the preflight reports', async () => {
  const db = await connectDatabase({ url: database.url, poolSize: 1 });
  const runner = db.createQueryRunner();
  try {
    for (const migration of migrations) {
      await runner.startTransaction();
      const before = await readTables(runner);
      await migration.up(runner);
      const [locks, after] = [await readLocks(runner), await readTables(runner)];
      const measured: Record<string, { lock: Lock; work: Work }> = {};
      for (const { id, name, node, scans } of before) {
        const held = locks.get(id);
        const now = after.find((table) => table.id === id);
        const lock = LOCKS.findLast((one) => held?.has(one) === true);
        if (held === undefined || lock === undefined || now === undefined) continue;
        const isRead = now.scans > scans;
        const work: Work =
          now.node !== node ? 'rewrites' : held.has('ROW EXCLUSIVE') ? 'writes' : isRead ? 'reads' : 'none';
        measured[name] = { lock, work };
      }
      await runner.commitTransaction();
      expect(migration.effects, migration.name).toEqual(measured);
    }
  } finally {
    await runner.release();
    await db.destroy();
  }
});

test('the preflight can list the statements of each migration without running them', async () => {
  const read = (sql: string): Promise<unknown> => {
    expect(sql).toMatch(/^\s*select\b/);
    return Promise.resolve([{ shops: null }]);
  };
  for (const migration of migrations) {
    const statements = await recordStatements(migration, read);
    expect(statements.length, migration.name).toBeGreaterThan(0);
    for (const statement of statements) expect(statement).toMatch(/^(?:create|alter|insert|update|drop|delete)\b/);
    expect(migration.about, migration.name).toMatch(/^[A-Z].*\.$/);
  }
});

test('a migration with a breaking change names the earlier migration that all running versions must already include', async () => {
  const names = migrations.map(({ name }) => name);
  const breaking: string[] = [];
  for (const migration of migrations) {
    const statements = await recordStatements(migration, () => Promise.resolve([{ shops: null }]));
    const { name, breaksVersionsBefore } = migration;
    if (findBreakingChanges(statements.join(';\n')).length > 0) {
      breaking.push(name);
      expect(names.slice(0, names.indexOf(name)), name).toContain(breaksVersionsBefore);
    } else expect(breaksVersionsBefore, name).toBeUndefined();
  }
  expect(breaking).toContain('DropCommentColumns1795000000190');
});
