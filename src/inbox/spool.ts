import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PrintArrival } from './receive-print-delivery.ts';
import { createSpoolFile, readLines } from './spool-file.ts';
import type { SpoolFile } from './spool-file.ts';
import { setAside } from './set-aside.ts';
import { isAbandoned, isSpoolFileName, openSpoolIds, toSpoolFileName } from './spool-names.ts';

const MAX_BYTES = 256 * 1024 * 1024;
/** What the events of one address may take of it. */
const MAX_BYTES_OF_ADDRESS = 32 * 1024 * 1024;
const REPLAY_MS = 5_000;
const WRITE_TRIES = 3;
/** So many in a row that cannot be stored: the database is away, and the pass ends. */
const MOST_FAILURES_IN_A_ROW = 3;
/** Of those that failed before, so many are tried before the new ones; fewer than end a pass. */
const FAILED_FIRST = 2;
/** In so many passes an event failed while the database took one after it: the event is at fault, and not the database. */
const MOST_BLAMED = 20;

const lineSchema = z.strictObject({
  tokenHash: z.string(),
  headerProofs: z.array(z.string()),
  receivedAt: z.coerce.date(),
  rawBody: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

/** Where events of the print service wait on disk while the database is away (design page, The print service's webhooks). */
export interface Spool {
  /** Resolves when the event is safe on the disk. Rejects when it cannot be kept: the disk fails, or it would take too much of it. */
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
  /** Called for each event that cannot be stored and was set aside. */
  onSetAside?: () => void;
  maxBytes?: number;
  maxBytesOfAddress?: number;
  replayMs?: number;
}

/** How far a file is replayed: kept in memory alone, since storing an event twice is harmless. */
interface Progress {
  to: number;
  /** It takes no more lines, and all were tried. */
  isRead: boolean;
  /** Where the lines before begin that could not be stored. */
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

/** One way through all files. */
interface Pass {
  failuresInARow: number;
  /** Those that failed since the database took one. */
  suspects: { progress: Progress; from: number; line: string }[];
}

/**
 * Opens the spool of this process and replays what it finds, its own and dead processes', at once and every 5 s. One that cannot be
 * stored stops no other: it is tried after them, and set aside when it alone fails again and again.
 */
export function openSpool(options: SpoolOptions): Spool {
  const { directory, store, log, onSetAside, replayMs = REPLAY_MS } = options;
  const { maxBytes = MAX_BYTES, maxBytesOfAddress = MAX_BYTES_OF_ADDRESS } = options;
  const id = randomBytes(6).toString('hex');
  const files = new Map<string, Progress>();
  let current: SpoolFile | null = null;
  let fileCount = 0;
  let reservedBytes = 0;
  /** What waits of each address, by its token's hash: of what this process took in. */
  const bytesOf = new Map<string, number>();
  let isClosed = false;
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  openSpoolIds.add(id);
  let passing = replayAll();

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
      if ((bytesOf.get(arrival.tokenHash) ?? 0) > maxBytesOfAddress)
        throw new PlatenError('spool_full', 'The spool has too many events of this address.');
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
      // Taken over by another process: the line goes into a file that is surely ours, and may be stored twice.
      if (!(error instanceof PlatenError) || tries === 1) throw error;
      await write(line, tries - 1);
    }
  }

  async function replayAll(): Promise<void> {
    const pass: Pass = { failuresInARow: 0, suspects: [] };
    try {
      await takeOver();
      const failed = listFailed();
      // A few come first: what is stored after them tells whether they are at fault themselves.
      await replayFailed(failed.slice(0, FAILED_FIRST), pass);
      for (const [path, progress] of files) await replayNew(path, progress, pass);
      await replayFailed(failed.slice(FAILED_FIRST), pass);
      for (const [path, progress] of files) await removeWhenDone(path, progress);
      isWaiting = false;
    } catch (error) {
      if (!isWaiting) log.warn({ error }, 'spooled events wait until the database can store them');
      isWaiting = true;
    }
    if (isClosed) return;
    timer = setTimeout(() => {
      passing = replayAll();
    }, replayMs).unref();
  }

  /** Touches the files of this process, and renames those of dead ones to its own: of several processes one wins each. */
  async function takeOver(): Promise<void> {
    const now = new Date();
    for (const path of files.keys()) await utimes(path, now, now).catch(ignoreMissing);
    for (const { path, name, touchedAt } of await list(directory)) {
      if (!isAbandoned(name, touchedAt)) continue;
      const ours = nextPath();
      await rename(path, ours).catch((error: unknown) => {
        files.delete(ours);
        ignoreMissing(error);
      });
    }
  }

  async function replayNew(path: string, progress: Progress, pass: Pass): Promise<void> {
    const live = current?.path === path ? current : null;
    const found = await stat(path).catch(ignoreMissing);
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

  /** Those that were tried least come first: however many cannot be stored, the others get their turn. */
  function listFailed(): FailedLine[] {
    const failed = [...files].flatMap(([path, progress]) =>
      [...progress.failed].map(([from, { tries }]) => ({ path, progress, from, tries })),
    );
    return failed.toSorted((one, other) => one.tries - other.tries);
  }

  async function replayFailed(failed: FailedLine[], pass: Pass): Promise<void> {
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
    if (to > 0) log.info({ bytes: to }, 'spooled events stored');
    // From here on a new line goes to a new file: nothing is written between the last look and the removal.
    if (current === live) current = null;
    files.delete(path);
    await live?.close();
    await unlink(path).catch(ignoreMissing);
  }

  async function replayLine(progress: Progress, from: number, line: string, pass: Pass): Promise<void> {
    const arrival = fromLine(line);
    if (!arrival) {
      log.warn({ bytes: line.length }, 'a torn line of the spool is left out');
      return;
    }
    try {
      await store(arrival);
    } catch (error) {
      if (isRefusedForGood(error)) return putAside(progress, from, line, error);
      const { tries, blamed } = progress.failed.get(from) ?? { tries: 0, blamed: 0 };
      progress.failed.set(from, { tries: tries + 1, blamed });
      pass.suspects.push({ progress, from, line });
      pass.failuresInARow += 1;
      if (pass.failuresInARow >= MOST_FAILURES_IN_A_ROW) throw error;
      return;
    }
    countBytes(arrival, -line.length);
    progress.failed.delete(from);
    await blameSuspects(pass);
  }

  /** The database took an event: those that it did not take just before may be at fault themselves. */
  async function blameSuspects(pass: Pass): Promise<void> {
    pass.failuresInARow = 0;
    for (const { progress, from, line } of pass.suspects.splice(0)) {
      const failure = progress.failed.get(from);
      if (!failure) continue;
      failure.blamed += 1;
      if (failure.blamed >= MOST_BLAMED) await putAside(progress, from, line);
    }
  }

  async function putAside(progress: Progress, from: number, line: string, error?: unknown): Promise<void> {
    // Until it is there it is not given up here.
    progress.failed.set(from, progress.failed.get(from) ?? { tries: 1, blamed: MOST_BLAMED });
    await setAside(directory, line);
    const arrival = fromLine(line);
    if (arrival) countBytes(arrival, -line.length);
    progress.failed.delete(from);
    log.error({ error }, 'a spooled event cannot be stored and is set aside');
    onSetAside?.();
  }

  return {
    append,
    bytes: () => sizeOf(directory),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await passing;
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
