import { randomBytes, randomInt } from 'node:crypto';
import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { encryptedColumns } from '../../database/encrypted-columns.ts';
import { Installations, type Shop } from '../../database/entities/shops.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import { PlatenError } from '../../errors.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { enqueueResumeShop } from '../enqueue-shop-jobs.ts';

const CODE_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const CODE_LENGTH = 4;
const KEY_BYTES = 32;
const KEY_PLACE = encryptedColumns.referenceKey.toPlace();

/**
 * The values for computing references (docs/rules/created-once.md#reference), and the time before which nothing may be submitted after a
 * restore.
 */
export interface InstallationSecrets {
  code: string;
  referenceKey: Buffer;
  quietUntil: Date | null;
}

/** Creates the installation's code and reference key once. Only one of several concurrent callers creates them. */
export async function ensureInstallation(app: App): Promise<void> {
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');
  const key = randomBytes(KEY_BYTES).toString('base64');
  const referenceKeyEncrypted = encryptColumn(app.config.encryptionKeys, KEY_PLACE, key);
  // The mark identifies the server, the database and its timeline. It is stored from the start, so that a restored backup can be
  // recognized.
  const row = { id: 1, code, referenceKeyEncrypted, databaseMark: () => 'platen_database_mark()' };
  await insertIfNew(app.db.manager, Installations, row);
}

export interface InstallationRow {
  code: string;
  referenceKeyEncrypted: string;
  quietUntil: Date | null;
  knownMark: string | null;
  mark: string;
}

/**
 * Reads this database's installation. If the database's mark differs from the stored mark, the database was restored from a backup, moved
 * or taken over by a standby. In that case, starts the quiet time, even if the operator has not reported a restore. Throws if no shop was
 * ever installed, and PlatenError `cannot_decrypt`.
 */
export async function readInstallation(app: App): Promise<InstallationSecrets> {
  return openInstallation(app, await readRow(app));
}

/** Returns the installation for one shop, whose own quiet time may end later. */
export function ofShop(installation: InstallationSecrets, shop: Pick<Shop, 'quietUntil'> | null): InstallationSecrets {
  const times = [installation.quietUntil, shop?.quietUntil ?? null].filter((time) => time !== null);
  return { ...installation, quietUntil: times.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null };
}

/** Works like `readInstallation`, with a row that was already read. */
export async function openInstallation(app: App, row: InstallationRow): Promise<InstallationSecrets> {
  const { code, referenceKeyEncrypted, knownMark, mark } = row;
  const key = decryptColumn(app.config.encryptionKeys, KEY_PLACE, referenceKeyEncrypted);
  const referenceKey = Buffer.from(key, 'base64');
  if (isSameDatabase(knownMark, mark)) return { code, referenceKey, quietUntil: row.quietUntil };
  return { code, referenceKey, quietUntil: await recordDatabaseMark(app, row) };
}

async function readRow(app: App): Promise<InstallationRow> {
  const [row]: InstallationRow[] = await app.db.query(
    `select code, reference_key_encrypted as "referenceKeyEncrypted", quiet_until as "quietUntil",
       database_mark as "knownMark", platen_database_mark() as mark
     from installation where id = 1`,
  );
  if (!row) throw new PlatenError('no_installation', 'No shop has ever been installed in this database.');
  return row;
}

/**
 * Compares two marks, each with a server, a database and a timeline. A part that is empty in one of the marks, because it could not be
 * read, is ignored.
 */
function isSameDatabase(known: string | null, mark: string): boolean {
  if (known === null) return false;
  const parts = mark.split('/');
  return known.split('/').every((part, index) => part === '' || parts[index] === '' || part === parts[index]);
}

/** Stores this database's mark. If it differs from the stored mark, the quiet time begins. Returns the current end of the quiet time. */
async function recordDatabaseMark(app: App, { knownMark, mark }: InstallationRow): Promise<Date | null> {
  if (knownMark === null) {
    const unknown = 'update installation set database_mark = $1 where id = 1 and database_mark is null';
    await app.db.query(unknown, [mark]);
  } else {
    logQuietTime(app, await beginQuietTime(app, { knownMark }));
  }
  return (await readRow(app)).quietUntil;
}

/** The parts of an App that the quiet time needs. `db` may be a transaction. */
type QuietApp = Pick<App, 'clock' | 'config'> & { db: Queryable };

function logQuietTime({ log }: App, quietUntil: Date | null): void {
  if (quietUntil)
    log.warn(
      { quietUntil },
      'the database was restored, moved or taken over: nothing is submitted until the quiet time ends',
    );
}

/** Begins the quiet time because a store knows a later epoch of this database than the database itself. */
export async function beginQuietTimeAfterLoss(app: App, fenceKey: string): Promise<void> {
  logQuietTime(app, await beginQuietTime(app, { fenceKey }));
}

/**
 * Begins the quiet time if this mark or key is still stored, or unconditionally if both are null because an operator asks for it. The end of
 * the quiet time is computed from the database's clock or this process's clock, whichever is ahead. Returns the end, or null if another
 * process has already begun the quiet time.
 */
async function beginQuietTime(
  app: QuietApp,
  { knownMark = null, fenceKey = null }: { knownMark?: string | null; fenceKey?: string | null } = {},
): Promise<Date | null> {
  const values = [knownMark, app.config.print.submitQuietSeconds, app.clock.now(), fenceKey];
  const [begun] = (await app.db.query(BEGIN_QUIET_TIME, values)) as { quietUntil: Date; stopped: number[] }[];
  for (const shopId of begun?.stopped ?? []) await enqueueResumeShop(app.db, shopId);
  return begun?.quietUntil ?? null;
}

/**
 * Without its key, the database takes over each store with a higher epoch when it next reads one of the store's orders. A store that
 * another database has taken over is taken back only by an operator.
 */
const BEGIN_QUIET_TIME = `
  with begun as (
    update installation set database_mark = platen_database_mark(), fence_key = null, is_alone = false, quiet_until =
      greatest(quiet_until, clock_timestamp() + make_interval(secs => $2), $3::timestamptz + make_interval(secs => $2))
    where id = 1 and ($1::text is null or database_mark = $1) and ($4::text is null or fence_key = $4) returning quiet_until),
  stopped as (select id from shops where fenced_off_at is not null and $1::text is null and $4::text is null),
  freed as (
    update shops set fence_key = null, fenced_off_at = null
    where exists (select from begun) and (fenced_off_at is null or ($1::text is null and $4::text is null)))
  select quiet_until as "quietUntil", array(select id from stopped) as stopped from begun`;

/**
 * Begins the quiet time after the operator has restored a backup. Calls made after that backup may still take effect, so nothing is
 * submitted before the returned time (SUBMIT_QUIET_SECONDS from now).
 */
export async function beginQuietTimeAfterRestore(app: App): Promise<Date> {
  await ensureInstallation(app);
  const quietUntil = await beginQuietTime(app);
  if (!quietUntil) throw new PlatenError('no_installation', 'No shop has ever been installed in this database.');
  return quietUntil;
}

/**
 * Works like `beginQuietTimeAfterRestore`, but within the transaction that restores a backup, so that the restored rows never exist without
 * a quiet time. Returns null if no shop had been installed when the backup was written.
 */
export async function beginQuietTimeInRestore(app: QuietApp): Promise<Date | null> {
  return beginQuietTime(app);
}
