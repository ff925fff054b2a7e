import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import { PlatenError } from '../../errors.ts';
import { SET_ASIDE } from '../../inbox/set-aside.ts';
import { countOldKeyValues, rotateKeys, type Rotation } from '../../shops/keys/rotate-keys.ts';
import { writeErrorLine, writeJson, writeLine, writeTable } from '../../terminal.ts';
import { describeCount } from '../describe-count.ts';

const PROGRESS_MS = 5_000;
const MAX_SHOWN = 20;

/**
 * `platen rotate-keys`: re-encrypts all values with ENCRYPTION_KEY and reports whether ENCRYPTION_KEYS_OLD can be removed. If the old keys
 * are still needed, throws PlatenError `old_keys_needed` unless this is a dry run.
 */
export async function rotateKeysCommand(
  { 'dry-run': isDryRun, json }: { 'dry-run': boolean; json: boolean },
  app: App,
): Promise<void> {
  let shownAt = app.clock.ticks();
  const rotation = await rotateKeys(app, {
    isDryRun,
    onProgress({ reencrypted, of }) {
      if (app.clock.ticks() - shownAt < PROGRESS_MS) return;
      shownAt = app.clock.ticks();
      writeErrorLine(`${reencrypted} of ${of} values`);
    },
  });
  const obstacles = [...describeObstacles(rotation, isDryRun), ...(await describeSpool(app))];
  if (json) writeJson({ ...rotation, canRemoveOldKeys: obstacles.length === 0 });
  else show(rotation, isDryRun);
  for (const { table, column, id, reason } of rotation.unreadable.first.slice(0, MAX_SHOWN))
    writeErrorLine(`${table}.${column}, row ${id}: ${reason}`);
  if (obstacles.length === 0) {
    const hasOldKeys = app.config.encryptionKeys.length > 1;
    const next = hasOldKeys ? ' You can remove ENCRYPTION_KEYS_OLD.' : '';
    if (!json) writeLine(`Every value is encrypted with ENCRYPTION_KEY.${next}`);
  } else if (isDryRun) obstacles.forEach(writeErrorLine);
  else throw new PlatenError('old_keys_needed', `Keep ENCRYPTION_KEYS_OLD. ${obstacles.join(' ')}`);
}

function show({ keys, reencrypted }: Rotation, isDryRun: boolean): void {
  writeTable(
    ['KEY', 'VARIABLE', 'VALUES'],
    keys.map(({ keyId, source, values }) => [keyId || '(none)', source, String(values)]),
  );
  const values = describeCount(reencrypted, 'value');
  writeLine(isDryRun ? `${values} would be re-encrypted.` : `Re-encrypted ${values}.`);
}

/** Returns why the old keys are still needed, as sentences. */
function describeObstacles({ keys, unreadable: { count } }: Rotation, isDryRun: boolean): string[] {
  const left = countOldKeyValues(keys) - count;
  const values = (number: number): string => describeCount(number, 'value');
  return [
    ...(left > 0 && !isDryRun ? [`${values(left)} changed during the rotation: run this command again.`] : []),
    ...(left > 0 && isDryRun ? [`${values(left)} can be read only with an old key.`] : []),
    ...(count > 0 ? [`${values(count)} cannot be read with any configured key: add the missing key.`] : []),
  ];
}

/** Checking the secret header of an event in the spool requires the key that was current when the event arrived. */
async function describeSpool({ config }: App): Promise<string[]> {
  const files: string[] = await readdir(join(config.home, 'spool')).catch(() => []);
  const isSetAside = files.includes(SET_ASIDE);
  const isWaiting = files.some((name) => name.endsWith('.jsonl') && name !== SET_ASIDE);
  return [
    ...(isWaiting ? [`The spool in ${config.home} still contains events: wait until Platen has stored them.`] : []),
    ...(isSetAside
      ? [`The spool in ${config.home} contains events that were set aside: "platen doctor --fix" can store them.`]
      : []),
  ];
}
