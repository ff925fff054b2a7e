import type { App } from '../../app.ts';
import { encryptedColumns, type EncryptedColumn } from '../../database/encrypted-columns.ts';
import { PlatenError } from '../../errors.ts';
import { countValuesByKey, type KeyCount } from './count-values-by-key.ts';
import { findOtherKeys } from './find-other-keys.ts';
import { reencryptColumn, type UnreadableValue } from './reencrypt-column.ts';

/** Maximum number of passes over all values. Each pass retries the rows that were locked or changed during the previous pass. */
const MAX_PASSES = 5;
const PAUSE_MS = 500;
const MAX_LISTED = 100;

export interface Rotation {
  /** In a dry run, the values that would be re-encrypted. */
  reencrypted: number;
  unreadable: { count: number; first: UnreadableValue[] };
  /** The values by key, counted afterward in a full scan. */
  keys: KeyCount[];
}

interface RotateOptions {
  isDryRun?: boolean;
  onProgress?: (progress: { reencrypted: number; of: number }) => void;
}

/**
 * Re-encrypts every value that was encrypted with a key other than ENCRYPTION_KEY. Safe while Platen runs, and safe to repeat after an
 * interruption. An unreadable value is reported and left unchanged. Throws PlatenError `key_not_everywhere` if a process encrypts with
 * another key: it could not read the new values, or would write values with the other key again.
 */
export async function rotateKeys(app: App, { isDryRun = false, onProgress }: RotateOptions = {}): Promise<Rotation> {
  const others = await findOtherKeys(app);
  if (others.length > 0 && !isDryRun) throw keyMismatchError(app, others);
  const of = countOldKeyValues(await countValuesByKey(app));
  let reencrypted = 0;
  let unreadable: Rotation['unreadable'] = { count: 0, first: [] };
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    unreadable = { count: 0, first: [] };
    let skipped = 0;
    for (const column of Object.values<EncryptedColumn>(encryptedColumns)) {
      for await (const batch of reencryptColumn(app, column, { isDryRun })) {
        reencrypted += batch.rewritten;
        skipped += batch.found - batch.rewritten - batch.unreadable.length;
        unreadable.count += batch.unreadable.length;
        unreadable.first = [...unreadable.first, ...batch.unreadable].slice(0, MAX_LISTED);
        onProgress?.({ reencrypted, of });
      }
    }
    if (skipped === 0) break;
    await app.clock.sleep(PAUSE_MS);
  }
  return { reencrypted, unreadable, keys: await countValuesByKey(app) };
}

/** Counts the values that were encrypted with a key other than ENCRYPTION_KEY. */
export function countOldKeyValues(keys: readonly KeyCount[]): number {
  return keys.reduce((sum, { source, values }) => sum + (source === 'ENCRYPTION_KEY' ? 0 : values), 0);
}

function keyMismatchError({ config }: App, others: string[]): PlatenError {
  const keys = others.map((id) => (id === 'unknown' ? 'an unknown key (an earlier version)' : id)).join(', ');
  const message = `Nothing was changed: a running Platen process encrypts with ${keys}, not with ${config.encryptionKeys[0]?.id}.`;
  return new PlatenError(
    'key_not_everywhere',
    `${message} Restart every process with the new ENCRYPTION_KEY, and run this command again.`,
  );
}
