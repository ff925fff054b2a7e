import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { lockFile } from './lock-file.ts';

/** One change to the stored values. */
export type Change =
  | readonly ['put', table: string, id: string, value: unknown]
  | readonly ['delete', table: string, id: string]
  | readonly ['clear', table: string];

/**
 * A stand-in's durable state: tables of JSON values by ID. Returned values are deeply frozen. To change a value, change a copy and `put`
 * the copy.
 */
export interface Books {
  get<Value>(table: string, id: string): Value | undefined;
  /** Returns a table's values, in the order in which their IDs were first written. */
  all<Value>(table: string): Value[];
  /** Returns the IDs of a table's values, in the order in which they were first written. */
  ids(table: string): string[];
  put(table: string, id: string, value: unknown): void;
  delete(table: string, id: string): void;
  clear(table: string): void;
  /** Writes several changes atomically: after a kill, the books contain either all of them or none. */
  write(changes: readonly Change[]): void;
  /** Calls `see` with the ID of each value that is put into this table from now on. */
  watch(table: string, see: (id: string) => void): void;
  close(): void;
}

type Tables = Map<string, Map<string, unknown>>;

/**
 * The journal is rewritten when it has more lines than twice the number of live values plus this number. It therefore stays short enough to
 * read quickly, and is seldom rewritten.
 */
const HISTORY_LINES = 2000;

/**
 * Opens the books in `file`. Their values are in memory and in a journal with one line of JSON for each write. A write returns only once
 * the operating system has received the line, so a SIGKILL loses no completed write. If a kill cut off the last line, that line is dropped.
 * Throws if another live process has the file open, or if an earlier line is damaged.
 */
export function openBooks(file: string): Books {
  mkdirSync(dirname(file), { recursive: true });
  const unlock = lockFile(file);
  try {
    return createBooks(file, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function createBooks(file: string, unlock: () => void): Books {
  const tables: Tables = new Map();
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  let lines = readJournal(whole, file, tables);
  let size = Buffer.byteLength(whole);
  const watchers: { table: string; see: (id: string) => void }[] = [];
  let descriptor: number | null = openSync(file, existsSync(file) ? 'r+' : 'w+');
  ftruncateSync(descriptor, size);
  rewriteIfGrown();

  function rewriteIfGrown(): void {
    const values = [...tables.values()].reduce((sum, table) => sum + table.size, 0);
    if (descriptor === null || lines <= 2 * values + HISTORY_LINES) return;
    size = rewriteJournal(file, tables);
    closeSync(descriptor);
    descriptor = openSync(file, 'r+');
    lines = values;
  }

  function write(changes: readonly Change[]): void {
    if (descriptor === null) throw new Error(`the books ${file} are closed`);
    const line = Buffer.from(`${JSON.stringify(changes)}\n`);
    try {
      for (let done = 0; done < line.length;) {
        done += writeSync(descriptor, line, done, line.length - done, size + done);
      }
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
    size += line.length;
    lines += 1;
    applyChanges(tables, JSON.parse(line.toString()) as Change[]);
    rewriteIfGrown();
    for (const [kind, name, id] of changes)
      if (kind === 'put') for (const { table, see } of watchers) if (table === name) see(id);
  }

  return {
    get: <Value>(table: string, id: string) => tables.get(table)?.get(id) as Value | undefined,
    all: <Value>(table: string) => [...(tables.get(table)?.values() ?? [])] as Value[],
    ids: (table) => [...(tables.get(table)?.keys() ?? [])],
    put: (table, id, value) => write([['put', table, id, value]]),
    delete: (table, id) => write([['delete', table, id]]),
    clear: (table) => write([['clear', table]]),
    write,
    watch: (table, see) => void watchers.push({ table, see }),
    close() {
      if (descriptor === null) return;
      closeSync(descriptor);
      descriptor = null;
      unlock();
    },
  };
}

function readJournal(text: string, file: string, tables: Tables): number {
  const lines = text.split('\n').slice(0, -1);
  for (const [index, line] of lines.entries()) {
    try {
      applyChanges(tables, JSON.parse(line) as Change[]);
    } catch (error) {
      throw new Error(`line ${index + 1} of the books ${file} is damaged`, { cause: error });
    }
  }
  return lines.length;
}

function applyChanges(tables: Tables, changes: readonly Change[]): void {
  for (const change of changes) {
    const [kind, name, id, value] = change;
    const table = tables.get(name) ?? new Map<string, unknown>();
    tables.set(name, table);
    if (kind === 'put') table.set(id, deepFreeze(value));
    else if (kind === 'delete') table.delete(id);
    else table.clear();
  }
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** Writes only the live values to a new file and replaces the old file with it. Returns the new file's size in bytes. */
function rewriteJournal(file: string, tables: Tables): number {
  const lines = [...tables].flatMap(([name, table]) =>
    [...table].map(([id, value]) => `${JSON.stringify([['put', name, id, value]])}\n`),
  );
  const text = lines.join('');
  const fresh = openSync(`${file}.new`, 'w');
  writeFileSync(fresh, text);
  fsyncSync(fresh);
  closeSync(fresh);
  renameSync(`${file}.new`, file);
  return Buffer.byteLength(text);
}
