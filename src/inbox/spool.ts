import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PrintArrival } from './receive-print-delivery.ts';
import { createSpoolFile, readLines } from './spool-file.ts';
import type { SpoolFile } from './spool-file.ts';
import { isAbandoned, isSpoolFileName, openSpoolIds, toSpoolFileName } from './spool-names.ts';

const MAX_BYTES = 256 * 1024 * 1024;
const REPLAY_MS = 5_000;
const WRITE_TRIES = 3;

const lineSchema = z.strictObject({
  tokenHash: z.string(),
  headerProofs: z.array(z.string()),
  receivedAt: z.coerce.date(),
  rawBody: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

/** Where events of the print service wait on disk while the database is away (design page, The print service's webhooks). */
export interface Spool {
  /** Resolves when the event is safe on the disk. Rejects when it cannot be kept: the disk fails, or 256 MiB wait already. */
  append(arrival: PrintArrival): Promise<void>;
  /** Bytes on disk, of every process that shares the folder. */
  bytes(): Promise<number>;
  /** Ends the replay; what is left on disk is taken over by the next process. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  directory: string;
  /** Keeps an event in the database. It throws while the database is away, and is called again for an event that it kept before. */
  store: (arrival: PrintArrival) => Promise<unknown>;
  log: Log;
  maxBytes?: number;
  replayMs?: number;
}

/** Opens the spool of this process and replays what it finds, its own and dead processes', at once and every 5 s. */
export function openSpool({ directory, store, log, maxBytes = MAX_BYTES, replayMs = REPLAY_MS }: SpoolOptions): Spool {
  const id = randomBytes(6).toString('hex');
  /** How far each file of this process is replayed: kept in memory alone, since storing an event twice is harmless. */
  const replayedTo = new Map<string, number>();
  let current: SpoolFile | null = null;
  let fileCount = 0;
  let reservedBytes = 0;
  let isClosed = false;
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  openSpoolIds.add(id);
  let pass = replayAll();

  function nextPath(): string {
    fileCount += 1;
    const path = join(directory, toSpoolFileName(id, fileCount));
    replayedTo.set(path, 0);
    return path;
  }

  async function append(arrival: PrintArrival): Promise<void> {
    const line = toLine(arrival);
    reservedBytes += line.length;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const used = await sizeOf(directory);
      if (used + reservedBytes > maxBytes) throw new PlatenError('spool_full', 'The spool is full.');
      await write(line, WRITE_TRIES);
    } finally {
      reservedBytes -= line.length;
    }
  }

  async function write(line: string, tries: number): Promise<void> {
    current ??= createSpoolFile(nextPath());
    const file: SpoolFile = current;
    try {
      await file.append(line);
    } catch (error) {
      if (current === file) current = null;
      await file.close();
      // Taken over by another process: the line goes into a file that is surely ours, and may be stored twice.
      if (!(error instanceof PlatenError) || tries === 1) throw error;
      await write(line, tries - 1);
    }
  }

  async function replayAll(): Promise<void> {
    try {
      await takeOver();
      for (const path of replayedTo.keys()) await replayFile(path);
      isWaiting = false;
    } catch (error) {
      if (!isWaiting) log.warn({ error }, 'spooled events wait until the database can store them');
      isWaiting = true;
    }
    if (isClosed) return;
    timer = setTimeout(() => {
      pass = replayAll();
    }, replayMs).unref();
  }

  /** Touches the files of this process, and renames those of dead ones to its own: of several processes one wins each. */
  async function takeOver(): Promise<void> {
    const now = new Date();
    for (const path of replayedTo.keys()) await utimes(path, now, now).catch(ignoreMissing);
    for (const { path, name, touchedAt } of await list(directory)) {
      if (!isAbandoned(name, touchedAt)) continue;
      const ours = nextPath();
      await rename(path, ours).catch((error: unknown) => {
        replayedTo.delete(ours);
        ignoreMissing(error);
      });
    }
  }

  async function replayFile(path: string): Promise<void> {
    const live = current?.path === path ? current : null;
    const found = await stat(path).catch(ignoreMissing);
    if (found) {
      const to = live ? () => live.size() : () => found.size;
      for await (const { line, end } of readLines(path, replayedTo.get(path) ?? 0, to)) {
        if (isClosed) return;
        await replayLine(line);
        replayedTo.set(path, end);
      }
      if (live && (!live.isIdle() || live.size() > (replayedTo.get(path) ?? 0))) return;
      log.info({ bytes: found.size }, 'spooled events stored');
    } else if (live && !live.isIdle()) return;
    // From here on a new line goes to a new file: nothing is written between the last look and the removal.
    if (current === live) current = null;
    replayedTo.delete(path);
    await live?.close();
    await unlink(path).catch(ignoreMissing);
  }

  async function replayLine(line: string): Promise<void> {
    const arrival = fromLine(line);
    if (!arrival) {
      log.warn({ bytes: line.length }, 'a torn line of the spool is left out');
      return;
    }
    try {
      await store(arrival);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      log.error({ error }, 'a spooled event cannot be stored and is dropped');
    }
  }

  return {
    append,
    bytes: () => sizeOf(directory),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pass;
      await current?.close();
      openSpoolIds.delete(id);
    },
  };
}

function toLine({ rawBody, ...rest }: PrintArrival): string {
  return JSON.stringify({ ...rest, rawBody: rawBody.toString('base64') });
}

function fromLine(line: string): PrintArrival | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function list(directory: string): Promise<{ name: string; path: string; touchedAt: Date; bytes: number }[]> {
  const names = (await readdir(directory).catch(ignoreMissing)) ?? [];
  const files = names.filter(isSpoolFileName).map(async (name) => {
    const path = join(directory, name);
    const found = await stat(path).catch(ignoreMissing);
    return found ? [{ name, path, touchedAt: found.mtime, bytes: found.size }] : [];
  });
  return (await Promise.all(files)).flat();
}

async function sizeOf(directory: string): Promise<number> {
  return (await list(directory)).reduce((sum, { bytes }) => sum + bytes, 0);
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

/** What PostgreSQL refuses because of the data (class 22) or its size (54): it would refuse it for ever. */
function isRefusedForGood(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|54)/.test(code);
}
