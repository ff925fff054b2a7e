import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeBackup } from '../../database/backup/write-backup.ts';
import { PlatenError } from '../../errors.ts';
import { readVersion } from '../../read-version.ts';
import { writeJson, writeLine } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { withDatabaseUrl } from '../open-app.ts';
import { systemClock } from '../../clock.ts';

/** `platen backup`: writes a backup of the database, which may be in use. Does not migrate the database. */
export async function backup({
  args: [path = ''],
  options: { json },
}: Pick<GivenArguments, 'args'> & { options: { json: boolean } }): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  try {
    const file = (await isFolder(path)) ? join(path, toFileName(systemClock.now())) : path;
    const written = await withDatabaseUrl((url) =>
      writeBackup({ url, file, platen: readVersion(), signal: stopped.signal }),
    );
    const counts = Object.values(written.rows);
    const [tables, rows] = [counts.length, counts.reduce((total, one) => total + one, 0)];
    const { bytes, createdAt } = written;
    if (json) writeJson({ file, bytes, createdAt, tables, rows });
    else writeLine(`Wrote ${file}: ${rows} rows of ${tables} tables as of ${createdAt}, ${bytes} bytes.`);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    if (/[/\\]$/.test(path)) throw new PlatenError('no_folder', `The folder ${path} does not exist. Create it first.`);
    // The file does not exist yet. If its folder does not exist either, writing the file reports that.
    return false;
  }
}

/** Names sort by time. */
function toFileName(at: Date): string {
  return `platen-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sql.gz`;
}
