import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PrintArrival } from './receive-print-delivery.ts';
import { createSpoolFile, readLines } from './spool-file.ts';
import type { SpoolFile } from './spool-file.ts';
import { readSpace } from './read-space.ts';
import { setAside } from './set-aside.ts';
import { isAbandoned, isSpoolFileName, openSpoolIds, toSpoolFileName } from './spool-names.ts';
import { systemClock, type Clock } from '../clock.ts';

const MAX_BYTES = 256 * 1024 * 1024;
/** With less free space, the spool cannot store the events of even a short outage. */
const MIN_FREE_BYTES = 1024 * 1024;
/** The size limit for the spooled events of one address. */
const MAX_BYTES_PER_ADDRESS = 32 * 1024 * 1024;
const REPLAY_MS = 5_000;
const WRITE_TRIES = 3;
/** After this many consecutive failures, the database counts as unavailable, and the pass ends. */
const MAX_FAILURES_IN_A_ROW = 3;
/**
 * How many previously failed events are tried before new events. This number must be smaller than the number of failures that end a pass.
 */
const FAILED_FIRST = 2;
/** An event is set aside after it has failed in this many passes in which the database accepted a later event. */
const MAX_BLAMED = 20;

const lineSchema = z.strictObject({
  tokenHash: z.string(),
  headerProofs: z.array(z.string()),
  receivedAt: z.coerce.date(),
  rawBody: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

/** Stores the print service's events on disk while the database is unavailable (docs/rules/planning.md#events-of-the-print-service). */
export interface Spool {
  /** Resolves when the event is safely on disk. Rejects if the disk fails or a limit is reached. */
  append(arrival: PrintArrival): Promise<void>;
  /** Number of bytes on disk, for all processes that share the folder. */
  bytes(): Promise<number>;
  /** Free space on the spool's disk, or 0 if this process cannot write there. */
  freeBytes(): Promise<number>;
  /** Ends the replay. The next process takes over the remaining files. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  directory: string;
  clock: Clock;
  /** Stores an event in the database. Throws while the database is unavailable. May be called again for the same event. */
  store: (arrival: PrintArrival) => Promise<unknown>;
  log: Log;
  /** Called for each event that cannot be stored and is set aside. */
  onSetAside?: () => void;
  maxBytes?: number;
  maxBytesPerAddress?: number;
  replayMs?: number;
}

/** How far a file has been replayed. This state is in memory only, because storing an event twice does no harm. */
interface Progress {
  to: number;
  /** True if the file accepts no further lines and all its lines have been tried. */
  isRead: boolean;
  /** The start positions of lines that could not be stored. */
  failed: Map<number, Failure>;
}

interface Failure {
  tries: number;
  blamed: number;
}

interface FailedLine {
  path: string;
  progress: Progress;
  from: number;
  tries: number;
}

/** One replay of all files. */
interface Pass {
  failuresInARow: number;
  /** Lines that have failed since the database last accepted a line. */
  suspects: { progress: Progress; from: number; line: string }[];
}

/**
 * Opens this process's spool. Replays its files and those of dead processes, immediately and then every 5 s. An event that cannot be stored
 * does not block other events. It is retried after them, and is set aside if it keeps failing while other events succeed. A folder in which
 * nothing can be written is logged once. Events are then refused until there is space.
 */
export function openSpool(options: SpoolOptions): Spool {
  const { directory, clock, store, log, onSetAside, replayMs = REPLAY_MS } = options;
  const { maxBytes = MAX_BYTES, maxBytesPerAddress = MAX_BYTES_PER_ADDRESS } = options;
  const id = randomBytes(6).toString('hex');
  const files = new Map<string, Progress>();
  let current: SpoolFile | null = null;
  let fileCount = 0;
  let reservedBytes = 0;
  /** Waiting bytes for each address, by the token's hash. Counts only events that this process received. */
  const bytesOf = new Map<string, number>();
  let isClosed = false;
  let isWaiting = false;
  let canSetAside = true;
  let cancelNext = (): void => undefined;
  openSpoolIds.add(id);
  void logMissingSpace();
  let passing = replayAll();

  async function freeBytes(): Promise<number> {
    const { isWritable, freeBytes: free } = await readSpace(directory);
    return isWritable ? free : 0;
  }

  async function logMissingSpace(): Promise<void> {
    const free = await freeBytes();
    if (free >= MIN_FREE_BYTES) return;
    const message = 'the spool cannot store events, so events get 503 while the database is unavailable';
    log.error({ directory, freeBytes: free }, `${message}: PLATEN_HOME is not writable, or its disk is full`);
  }

  function nextPath(): string {
    fileCount += 1;
    const path = join(directory, toSpoolFileName(id, fileCount));
    files.set(path, { to: 0, isRead: false, failed: new Map() });
    return path;
  }

  async function append(arrival: PrintArrival): Promise<void> {
    const line = toLine(arrival);
    reservedBytes += line.length;
    countBytes(arrival, line.length);
    try {
      if ((bytesOf.get(arrival.tokenHash) ?? 0) > maxBytesPerAddress)
        throw new PlatenError('spool_full', 'The spool has too many events for this address.');
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const used = await sizeOf(directory);
      if (used + reservedBytes > maxBytes) throw new PlatenError('spool_full', 'The spool is full.');
      await write(line, WRITE_TRIES);
    } catch (error) {
      countBytes(arrival, -line.length);
      throw error;
    } finally {
      reservedBytes -= line.length;
    }
  }

  function countBytes({ tokenHash }: PrintArrival, change: number): void {
    const bytes = (bytesOf.get(tokenHash) ?? 0) + change;
    if (bytes > 0) bytesOf.set(tokenHash, bytes);
    else bytesOf.delete(tokenHash);
  }

  async function write(line: string, tries: number): Promise<void> {
    current ??= createSpoolFile(nextPath());
    const file: SpoolFile = current;
    try {
      await file.append(line);
    } catch (error) {
      if (current === file) current = null;
      await file.close();
      // On a full disk, every refused event would otherwise leave a file.
      if (file.size() === 0) await removeFile(file.path);
      // Another process took over the file. The line is written to a new file, and may be stored twice.
      if (!(error instanceof PlatenError) || tries === 1) throw error;
      await write(line, tries - 1);
    }
  }

  async function replayAll(): Promise<void> {
    const pass: Pass = { failuresInARow: 0, suspects: [] };
    try {
      await takeOverFiles();
      const failed = listFailedLines();
      // A few failed events are tried first: if later events succeed, the failed events are at fault.
      await replayFailedLines(failed.slice(0, FAILED_FIRST), pass);
      for (const [path, progress] of files) await replayNew(path, progress, pass);
      await replayFailedLines(failed.slice(FAILED_FIRST), pass);
      for (const [path, progress] of files) await removeWhenDone(path, progress);
      isWaiting = false;
    } catch (error) {
      if (!isWaiting) log.warn({ error }, 'spooled events are waiting until they can be stored');
      isWaiting = true;
    }
    if (isClosed) return;
    cancelNext = clock.after(replayMs, () => {
      passing = replayAll();
    });
  }

  /**
   * Touches this process's files, and renames the files of dead processes to its own. If several processes try, each file is assigned to
   * one of them.
   */
  async function takeOverFiles(): Promise<void> {
    const now = systemClock.now();
    for (const path of files.keys()) await utimes(path, now, now).catch(ignoreMissingFile);
    for (const { path, name, touchedAt } of await listFiles(directory)) {
      if (!isAbandoned(name, touchedAt)) continue;
      const ours = nextPath();
      await rename(path, ours).catch((error: unknown) => {
        files.delete(ours);
        ignoreMissingFile(error);
      });
    }
  }

  async function replayNew(path: string, progress: Progress, pass: Pass): Promise<void> {
    const live = current?.path === path ? current : null;
    const found = await stat(path).catch(ignoreMissingFile);
    if (found) {
      const to = live ? () => live.size() : () => found.size;
      for await (const { line, end } of readLines(path, progress.to, to)) {
        if (isClosed) return;
        const from = progress.to;
        progress.to = end;
        await replayLine(progress, from, line, pass);
      }
    }
    progress.isRead = live === null;
  }

  /** Lists the failed lines. Lines with the fewest tries come first, so that every line is tried. */
  function listFailedLines(): FailedLine[] {
    const failed = [...files].flatMap(([path, progress]) =>
      [...progress.failed].map(([from, { tries }]) => ({ path, progress, from, tries })),
    );
    return failed.toSorted((one, other) => one.tries - other.tries);
  }

  async function replayFailedLines(failed: FailedLine[], pass: Pass): Promise<void> {
    for (const { path, progress, from } of failed) {
      if (isClosed) return;
      for await (const { line } of readLines(path, from, () => progress.to)) {
        await replayLine(progress, from, line, pass);
        break;
      }
    }
  }

  async function removeWhenDone(path: string, { to, isRead, failed }: Progress): Promise<void> {
    const live = current?.path === path ? current : null;
    const isDone = live ? live.isIdle() && live.size() <= to : isRead;
    if (!isDone || failed.size > 0 || isClosed) return;
    if (to > 0) log.info({ bytes: to }, 'spooled events were stored');
    // From here on, new lines are written to a new file: nothing may be written between the last check and the removal.
    if (current === live) current = null;
    await live?.close();
    await removeFile(path);
  }

  async function removeFile(path: string): Promise<void> {
    files.delete(path);
    await unlink(path).catch(ignoreMissingFile);
  }

  async function replayLine(progress: Progress, from: number, line: string, pass: Pass): Promise<void> {
    const arrival = parseLine(line);
    if (!arrival) {
      log.warn({ bytes: line.length }, 'an incomplete spool line is skipped');
      return;
    }
    try {
      await store(arrival);
    } catch (error) {
      if (isRefusedPermanently(error)) return setLineAside(progress, from, line, error);
      const { tries, blamed } = progress.failed.get(from) ?? { tries: 0, blamed: 0 };
      progress.failed.set(from, { tries: tries + 1, blamed });
      pass.suspects.push({ progress, from, line });
      pass.failuresInARow += 1;
      if (pass.failuresInARow >= MAX_FAILURES_IN_A_ROW) throw error;
      return;
    }
    countBytes(arrival, -line.length);
    progress.failed.delete(from);
    await blameSuspects(pass);
  }

  /** The database accepted an event, so the events that it has just rejected may themselves be at fault. */
  async function blameSuspects(pass: Pass): Promise<void> {
    pass.failuresInARow = 0;
    for (const { progress, from, line } of pass.suspects.splice(0)) {
      const failure = progress.failed.get(from);
      if (!failure) continue;
      failure.blamed += 1;
      if (failure.blamed >= MAX_BLAMED) await setLineAside(progress, from, line);
    }
  }

  async function setLineAside(progress: Progress, from: number, line: string, error?: unknown): Promise<void> {
    // The line stays in the list until it is safely set aside.
    const failure = progress.failed.get(from) ?? { tries: 0, blamed: MAX_BLAMED };
    progress.failed.set(from, { ...failure, tries: failure.tries + 1 });
    try {
      await setAside(directory, line);
    } catch (cause) {
      // The disk may be full, which must not keep the other events from being stored.
      if (canSetAside) log.warn({ error: cause }, 'spooled events cannot be set aside and will be retried');
      canSetAside = false;
      return;
    }
    canSetAside = true;
    const arrival = parseLine(line);
    if (arrival) countBytes(arrival, -line.length);
    progress.failed.delete(from);
    log.error({ error }, 'a spooled event cannot be stored and is set aside');
    onSetAside?.();
  }

  return {
    append,
    bytes: () => sizeOf(directory),
    freeBytes,
    async close() {
      isClosed = true;
      cancelNext();
      await passing;
      await current?.close();
      openSpoolIds.delete(id);
    },
  };
}

function toLine({ rawBody, ...rest }: PrintArrival): string {
  return JSON.stringify({ ...rest, rawBody: rawBody.toString('base64') });
}

function parseLine(line: string): PrintArrival | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function listFiles(directory: string): Promise<{ name: string; path: string; touchedAt: Date; bytes: number }[]> {
  const names = (await readdir(directory).catch(ignoreMissingFile)) ?? [];
  const files = names.filter(isSpoolFileName).map(async (name) => {
    const path = join(directory, name);
    const found = await stat(path).catch(ignoreMissingFile);
    return found ? [{ name, path, touchedAt: found.mtime, bytes: found.size }] : [];
  });
  return (await Promise.all(files)).flat();
}

async function sizeOf(directory: string): Promise<number> {
  return (await listFiles(directory)).reduce((sum, { bytes }) => sum + bytes, 0);
}

function ignoreMissingFile(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

/** Returns whether PostgreSQL will always reject the event because of its data (class 22) or its size (54). */
function isRefusedPermanently(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|54)/.test(code);
}
