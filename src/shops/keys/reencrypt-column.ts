import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { encryptedColumns, type EncryptedColumn } from '../../database/encrypted-columns.ts';
import { readErrorCode } from '../../database/error-code.ts';
import { PlatenError } from '../../errors.ts';
import { toFingerprints } from '../print-account/print-account.ts';

/** Limits how long a statement takes, and therefore how long it locks rows. */
const BATCH_SIZE = 500;
const UNIQUE_VIOLATION = '23505';

/** A value that no configured key can decrypt. */
export interface UnreadableValue {
  table: string;
  column: string;
  id: string;
  reason: string;
}

/** The result for some of a column's rows. */
interface Reencrypted {
  /** The number of values that another key encrypted, including values that were not rewritten. */
  found: number;
  rewritten: number;
  unreadable: UnreadableValue[];
}

interface OldValue {
  id: string;
  owner: string;
  value: string;
}

/**
 * Re-encrypts a column's values with the current key, in one short statement for each batch. A value is replaced only if it has not changed
 * since it was read. Rows that another process has locked are skipped, so this function never waits for one. In a dry run, values are only
 * decrypted.
 */
export async function* reencryptColumn(
  app: Pick<App, 'db' | 'config'>,
  column: EncryptedColumn,
  { isDryRun }: { isDryRun: boolean },
): AsyncGenerator<Reencrypted> {
  const { encryptionKeys } = app.config;
  for await (const batch of readOldValues(app, column)) {
    const opened: { row: OldValue; text: string }[] = [];
    const unreadable: UnreadableValue[] = [];
    for (const row of batch) {
      try {
        opened.push({ row, text: decryptColumn(encryptionKeys, column.toPlace(row.owner), row.value) });
      } catch (error) {
        if (!(error instanceof PlatenError)) throw error;
        unreadable.push({ table: column.table, column: column.column, id: row.id, reason: error.message });
      }
    }
    let rewritten = 0;
    if (isDryRun) rewritten = opened.length;
    else if (column === encryptedColumns.printKey) rewritten = await rewritePrintKeys(app, opened);
    else if (opened.length > 0)
      rewritten = await rewrite(
        app,
        column,
        opened.map(({ row, text }) => ({ ...row, to: encryptColumn(encryptionKeys, column.toPlace(row.owner), text) })),
      );
    yield { found: batch.length, rewritten, unreadable };
  }
}

async function* readOldValues(
  { db, config }: Pick<App, 'db' | 'config'>,
  { table, column, id, owner }: EncryptedColumn,
): AsyncGenerator<OldValue[]> {
  const text = `
    select ${id}::text as id, ${owner}::text as owner, case when not starts_with(${column}, $3) then ${column} end as value
    from ${table} where ${id} > $1::bigint order by ${table}.${id} limit $2`;
  const prefix = `v1.${config.encryptionKeys[0]?.id}.`;
  let after = '0';
  for (;;) {
    const rows: (Omit<OldValue, 'value'> & { value: string | null })[] = await db.query(text, [
      after,
      BATCH_SIZE,
      prefix,
    ]);
    const old = rows.filter((row): row is OldValue => row.value !== null);
    if (old.length > 0) yield old;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = last.id;
  }
}

/** Replaces values that have not changed. Returns how many were replaced. */
async function rewrite(
  { db }: Pick<App, 'db'>,
  { table, column, id }: EncryptedColumn,
  rows: (OldValue & { to: string })[],
): Promise<number> {
  const [, affected]: [unknown, number] = await db.query(
    `with given as (select * from unnest($1::bigint[], $2::text[], $3::text[]) as given(id, value, changed)),
     locked as (select t.${id} as id, given.changed from ${table} t join given on given.id = t.${id}
       where t.${column} = given.value order by t.${id} for no key update of t skip locked)
     update ${table} t set ${column} = locked.changed from locked where t.${id} = locked.id`,
    [rows.map((row) => row.id), rows.map(({ value }) => value), rows.map(({ to }) => to)],
  );
  return affected;
}

/**
 * Replaces the keys of print accounts together with their fingerprints. If a fingerprint depended on an encryption key that was removed,
 * entering the same print key would create a second account.
 */
async function rewritePrintKeys(
  app: Pick<App, 'db' | 'config'>,
  opened: { row: OldValue; text: string }[],
): Promise<number> {
  let rewritten = 0;
  for (const { row, text } of opened) {
    const [fingerprint] = toFingerprints(app, text);
    try {
      rewritten += await rewritePrintKey(app, row, fingerprint, text);
    } catch (error) {
      if (readErrorCode(error) !== UNIQUE_VIOLATION) throw error;
      // Another account with the same print key already has the new fingerprint, and only orders still refer to this account.
      rewritten += await rewritePrintKey(app, row, row.owner, text);
    }
  }
  return rewritten;
}

async function rewritePrintKey(
  { db, config }: Pick<App, 'db' | 'config'>,
  { id, value }: OldValue,
  fingerprint: string,
  key: string,
): Promise<number> {
  const to = encryptColumn(config.encryptionKeys, encryptedColumns.printKey.toPlace(fingerprint), key);
  const [, affected]: [unknown, number] = await db.query(
    `with locked as (select id from print_accounts where id = $1 and key_encrypted = $2 for update skip locked)
     update print_accounts a set key_fingerprint = $3, key_encrypted = $4 from locked where a.id = locked.id`,
    [id, value, fingerprint, to],
  );
  return affected;
}
