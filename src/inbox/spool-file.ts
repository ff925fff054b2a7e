import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PlatenError } from '../errors.ts';

const CHUNK_BYTES = 64 * 1024;
/** Longer than any record. A line that exceeds this length is damaged. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** A file to which only complete lines are appended. */
export interface SpoolFile {
  readonly path: string;
  /** Number of bytes on disk. */
  size(): number;
  /** True if nothing is waiting to be written. */
  isIdle(): boolean;
  /**
   * Resolves when the line is on disk under this file's name. Rejects if this is not certain. After a rejection, the file accepts no
   * further lines.
   */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

interface WaitingLine {
  line: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Creates a spool file with its first line. Lines that arrive simultaneously share one write and one fsync. */
export function createSpoolFile(path: string): SpoolFile {
  let waiting: WaitingLine[] = [];
  let handle: FileHandle | null = null;
  let writing: Promise<void> | null = null;
  let hasFailed = false;
  let size = 0;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (hasFailed) throw new PlatenError('spool_file_failed', 'The spool file accepts no more lines.');
        if (handle === null) {
          handle = await open(path, 'ax', 0o600);
          // The file name must also survive a power failure.
          await syncDirectory(dirname(path));
        }
        // The leading line break ends a line that a crash has left incomplete.
        const bytes = Buffer.from(batch.map(({ line }) => `\n${line}\n`).join(''));
        await handle.appendFile(bytes);
        await handle.sync();
        await throwIfTakenOver(handle, path);
        size += bytes.length;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // After a failed fsync, the kernel may drop unwritten data, so the file is no longer trusted.
        hasFailed = true;
        for (const { reject } of batch) reject(error);
      }
    }
    writing = null;
  }

  return {
    path,
    size: () => size,
    isIdle: () => writing === null,
    append: (line) =>
      new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        writing ??= writeAll();
      }),
    async close() {
      await writing;
      await handle?.close();
      handle = null;
    },
  };
}

/**
 * Yields the complete lines of a spool file from a position onward, each with the position that follows it. Empty lines and an incomplete
 * last line are skipped. `to` returns the position to stop at and is called repeatedly, because the file may grow.
 */
export async function* readLines(
  path: string,
  from: number,
  to: () => number,
): AsyncGenerator<{ line: string; end: number }> {
  await using handle = await open(path, 'r');
  let rest = Buffer.alloc(0);
  let position = from;
  while (position < to()) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, to() - position));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    for (let at = rest.indexOf('\n'); at !== -1; at = rest.indexOf('\n')) {
      const line = rest.subarray(0, at).toString('utf8');
      rest = rest.subarray(at + 1);
      if (line !== '') yield { line, end: position - rest.length };
    }
    if (rest.length > MAX_LINE_BYTES) rest = Buffer.alloc(0);
  }
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}

/** Throws if another process considered this process dead and took over the file. The lines that were just written may then be lost. */
async function throwIfTakenOver(handle: FileHandle, path: string): Promise<void> {
  const [written, named] = await Promise.all([handle.stat(), stat(path).catch(() => null)]);
  if (written.ino !== named?.ino)
    throw new PlatenError('spool_taken_over', 'Another process took over the spool file.');
}
