import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { PlatenError } from '../../errors.ts';
import { END_OF_ROWS, parseScriptLine } from './backup-format.ts';
import type { BackupHeader, RowCounts, ScriptLine } from './backup-format.ts';

const NEWLINE = 10;

/** A part of a backup, in the order of the file. `rows` contains complete rows of the table that the last `copy` named. */
export type BackupPart =
  | Extract<ScriptLine, { kind: 'header' | 'copy' | 'sequence' | 'counts' }>
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'end-of-rows' };

/**
 * Reads a backup as a stream. Verifies the checksum after the last part, so a caller must not rely on any part until the stream has ended.
 * Throws PlatenError `not_a_backup`, `backup_damaged` (also for a truncated file) or `backup_newer`.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  let position: 'start' | 'script' | 'rows' | 'end' = 'start';
  for await (const chunk of unpack(file)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (position === 'end' && rest.length > 0) throw damagedError('it contains data after its end');
      if (position === 'rows') {
        const { rows, isEnd } = splitRows(rest);
        if (rows.length > 0) yield { kind: 'rows', bytes: rows };
        hash.update(rows);
        rest = rest.subarray(rows.length);
        if (!isEnd) break;
        hash.update(END_OF_ROWS);
        rest = rest.subarray(END_OF_ROWS.length);
        position = 'script';
        yield { kind: 'end-of-rows' };
        continue;
      }
      const end = rest.indexOf(NEWLINE) + 1;
      if (end === 0) break;
      const line = parseScriptLine(rest.toString('utf8', 0, end - 1));
      if (position === 'start' && line?.kind !== 'header') throw unknownFileError(file, line);
      if (line === null) throw damagedError('it contains an unknown line');
      if (line.kind === 'checksum') {
        if (hash.copy().digest('hex') !== line.sha256) throw damagedError('its checksum does not match');
        position = 'end';
      } else {
        hash.update(rest.subarray(0, end));
        position = line.kind === 'copy' ? 'rows' : 'script';
        if (line.kind !== 'comment' && line.kind !== 'newer-format') yield line;
      }
      rest = rest.subarray(end);
    }
  }
  if (position === 'start') throw unknownFileError(file, null);
  if (position !== 'end') throw damagedError('its end is missing');
}

/** Reads the whole backup and checks its checksum, without using the rows. Throws the errors of `readBackup`. */
export async function checkBackup(file: string): Promise<{ header: BackupHeader; rows: RowCounts }> {
  let header: BackupHeader | null = null;
  let rows: RowCounts | null = null;
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') ({ header } = part);
    if (part.kind === 'counts') rows = part.counts;
  }
  if (header === null || rows === null) throw damagedError('it contains no row counts');
  return { header, rows };
}

/** Splits off the complete rows, and reports whether the end of the table's rows follows them. `bytes` starts at the start of a row. */
function splitRows(bytes: Buffer): { rows: Buffer; isEnd: boolean } {
  if (bytes.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) return { rows: bytes.subarray(0, 0), isEnd: true };
  const end = bytes.indexOf(`\n${END_OF_ROWS.toString()}`);
  if (end === -1) return { rows: bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1), isEnd: false };
  return { rows: bytes.subarray(0, end + 1), isEnd: true };
}

async function* unpack(file: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(file);
  const unpacked = packed.pipe(createGunzip());
  packed.once('error', (error) => unpacked.destroy(error));
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } catch (error) {
    throw toReadError(file, error);
  } finally {
    packed.destroy();
  }
}

function toReadError(file: string, error: unknown): PlatenError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'Z_BUF_ERROR') return damagedError('its end is missing');
  if (message === 'incorrect header check') return unknownFileError(file, null);
  if (code.startsWith('Z_')) return damagedError(message);
  return new PlatenError('backup_unreadable', `The backup cannot be read: ${message}.`, { cause: error });
}

function damagedError(why: string): PlatenError {
  return new PlatenError('backup_damaged', `The backup is damaged: ${why}. Nothing was restored. Use another backup.`);
}

function unknownFileError(file: string, line: ScriptLine | null): PlatenError {
  if (line?.kind === 'newer-format')
    return new PlatenError('backup_newer', `A newer version of Platen wrote ${file}. Restore it with that version.`);
  return new PlatenError('not_a_backup', `${file} is not a backup written by "platen backup".`);
}
