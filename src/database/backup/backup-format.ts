import { z } from 'zod';

/**
 * A backup is a gzip file. Its text is a script that `psql` could read. The script contains, in this order: a comment with the header, a
 * `COPY` block for each table, the positions of the sequences, a comment with the row counts, and a comment with the SHA-256 of everything
 * before it.
 */
const FORMAT = 1;
/** The schemas whose rows are backed up: Platen's tables and its job queue. */
export const BACKED_UP_SCHEMAS = ['public', 'graphile_worker'];
/** The queue's list of its own migrations. A restore creates the queue, so this list already exists. */
export const QUEUE_MIGRATIONS = 'graphile_worker.migrations';
/** The settings that give values the same text on every server. */
export const PORTABLE_TEXT = `
  set datestyle = 'ISO, YMD'; set intervalstyle = postgres; set timezone = 'UTC'; set extra_float_digits = 3; set bytea_output = hex`;

const HEADER = '-- platen backup ';
const COUNTS = '-- rows ';
const CHECKSUM = '-- sha256 ';
const COPY = 'COPY ';
const FROM_STDIN = ') FROM stdin;';
export const END_OF_ROWS = Buffer.from('\\.\n');

const headerSchema = z.object({
  format: z.literal(FORMAT),
  /** The version of Platen that wrote the backup. */
  platen: z.string().max(100),
  /** The moment whose data the backup contains, by the database's clock. */
  createdAt: z.iso.datetime(),
  /** The version of the PostgreSQL server. */
  postgres: z.string().max(100),
  /** The names of the migrations that the database had run, oldest first. */
  migrations: z.array(z.string().max(200)).min(1).max(10_000),
  /** The number of the queue's last migration. */
  queueMigration: z.int().nonnegative(),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const countsSchema = z.record(z.string().max(300), z.int().nonnegative());
/** The number of rows of each table. */
export type RowCounts = z.infer<typeof countsSchema>;

export function toHeaderLine(header: Omit<BackupHeader, 'format'>): string {
  return `${HEADER}${JSON.stringify({ format: FORMAT, ...header })}\n`;
}

export function toCopyLine(table: string, columns: readonly string[]): string {
  return `${COPY}${table} (${columns.join(', ')}${FROM_STDIN}\n`;
}

export function toSequenceLine(sequence: string, value: string): string {
  return `SELECT pg_catalog.setval('${sequence.replaceAll("'", "''")}', ${value}, true);\n`;
}

export function toCountsLine(counts: RowCounts): string {
  return `${COUNTS}${JSON.stringify(counts)}\n`;
}

export function toChecksumLine(sha256: string): string {
  return `${CHECKSUM}${sha256}\n`;
}

/** A parsed line of the script, other than a table's row. */
export type ScriptLine =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'newer-format' }
  | { kind: 'copy'; table: string; columns: string[] }
  | { kind: 'sequence'; sequence: string; value: string }
  | { kind: 'counts'; counts: RowCounts }
  | { kind: 'checksum'; sha256: string }
  | { kind: 'comment' };

/** Parses one line. Returns null if a backup cannot contain the line. */
export function parseScriptLine(line: string): ScriptLine | null {
  if (line.startsWith(HEADER)) return parseHeader(line.slice(HEADER.length));
  if (line.startsWith(COUNTS)) {
    const counts = countsSchema.safeParse(parseJson(line.slice(COUNTS.length)));
    return counts.success ? { kind: 'counts', counts: counts.data } : null;
  }
  if (line.startsWith(CHECKSUM)) return { kind: 'checksum', sha256: line.slice(CHECKSUM.length) };
  if (line.startsWith('--') || line === '') return { kind: 'comment' };
  const copied = line.startsWith(COPY) && line.endsWith(FROM_STDIN) ? line.indexOf(' (') : -1;
  if (copied > 0) {
    const columns = line.slice(copied + 2, -FROM_STDIN.length).split(', ');
    return { kind: 'copy', table: line.slice(COPY.length, copied), columns };
  }
  const [, sequence, value] = /^SELECT pg_catalog\.setval\('(.+)', (\d+), true\);$/.exec(line) ?? [];
  if (sequence !== undefined && value !== undefined)
    return { kind: 'sequence', sequence: sequence.replaceAll("''", "'"), value };
  return null;
}

function parseHeader(text: string): ScriptLine | null {
  const value = parseJson(text);
  const header = headerSchema.safeParse(value);
  if (header.success) return { kind: 'header', header: header.data };
  const format = z.object({ format: z.int().gt(FORMAT) }).safeParse(value);
  return format.success ? { kind: 'newer-format' } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
