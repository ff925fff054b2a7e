import type { App } from '../../../app.ts';
import { decryptColumn } from '../../../database/encrypt-column.ts';
import { encryptedColumns, type EncryptedColumn } from '../../../database/encrypted-columns.ts';
import { PlatenError } from '../../../errors.ts';
import { findKeyProblem } from '../../../shops/print-account/find-key-problem.ts';
import type { ColumnFacts, KeyFacts } from '../find/find-key-problems.ts';

const PAGE = 500;
/** The limits of the work for one column, so that checking a large database does not take too long. */
const MAX_VALUES = 20_000;
const MAX_MS = 10_000;

/** Decrypts the encrypted values of all columns, newest first, and counts those that the configured keys cannot decrypt. */
export async function readKeyFacts(app: App, most: number = MAX_VALUES): Promise<KeyFacts> {
  const columns: ColumnFacts[] = [];
  for (const column of Object.values<EncryptedColumn>(encryptedColumns))
    columns.push(await readColumn(app, column, most));
  return { problem: await findKeyProblem(app), columns, oldKeys: app.config.encryptionKeys.length - 1 };
}

async function readColumn(
  { clock, db, config }: App,
  { table, column, id, owner, toPlace }: EncryptedColumn,
  most: number,
): Promise<ColumnFacts> {
  const facts = { name: `${table}.${column}`, checked: 0, unreadable: 0, isComplete: true };
  const begun = clock.ticks();
  const page = `select ${id}::text as id, ${owner} as owner, ${column} as value from ${table}
    where ${column} is not null and ($1::bigint is null or ${id} < $1) order by ${id} desc limit $2`;
  for (let before: string | null = null; ;) {
    const rows: { id: string; owner: string | number; value: string }[] = await db.query(page, [before, PAGE]);
    for (const row of rows) {
      facts.checked += 1;
      if (!isReadable(config.encryptionKeys, toPlace(row.owner), row.value)) facts.unreadable += 1;
    }
    before = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE) return facts;
    if (facts.checked >= most || clock.ticks() - begun > MAX_MS) return { ...facts, isComplete: false };
  }
}

function isReadable(keys: App['config']['encryptionKeys'], place: string, value: string): boolean {
  try {
    decryptColumn(keys, place, value);
    return true;
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return false;
  }
}
