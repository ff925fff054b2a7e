import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MAX_FILE_BYTES } from '../../print/files/fetch-print-file.ts';
import { runConfined, type ConfinedLimits } from './run-confined.ts';

/**
 * `damaged`: the file cannot be read as a PDF. `locked`: the file opens only with a password. `too_complex`: counting exceeds the limits.
 */
export type CountedPages = number | 'damaged' | 'locked' | 'too_complex';

/**
 * The memory is for the file itself, of up to 100 MB, the library and its data. A worker's container must have it in addition to the
 * worker's own memory (`deploy/helm/values.yaml`).
 */
export const COUNT_LIMITS: ConfinedLimits = { milliseconds: 20_000, megabytes: 320, heapMegabytes: 96 };
const COUNTER = fileURLToPath(new URL('page-counter.ts', import.meta.url));
const READER = import.meta.resolve('unpdf');
/** The folder of the PDF library's package. Node reads the `package.json` there when the library's modules import each other. */
const READER_FOLDER = fileURLToPath(new URL('../', READER));
const COUNTED = /^(?:\d{1,9}|damaged|locked|too_complex)$/;

/** The pages of a file cannot be counted now, because the process or its container has too little memory left. */
export class NoMemoryError extends Error {
  override name = 'NoMemoryError';
}

/** The memory of this process and its machine, in bytes. */
interface Memory {
  /** The limit of the container. Zero or a number beyond the machine's memory without one. */
  limit: number;
  machine: number;
  /** What the machine or the container has left. In a container, the reclaimable cache of files does not count as left. */
  available: number;
  /** What this process uses. */
  used: number;
}

/** Throws NoMemoryError if a count that uses all the memory that it may use would not fit now. */
export function requireMemoryToCount(
  memory: Memory = {
    limit: process.constrainedMemory(),
    machine: totalmem(),
    available: process.availableMemory(),
    used: process.memoryUsage.rss(),
  },
): void {
  const isLimited = memory.limit > 0 && memory.limit < memory.machine;
  const available = Math.floor((isLimited ? memory.limit - memory.used : memory.available) / 2 ** 20);
  if (available < COUNT_LIMITS.megabytes)
    throw new NoMemoryError(
      `the pages of a print file cannot be counted, because ${available} MiB of memory are available and ${COUNT_LIMITS.megabytes} MiB are needed`,
    );
}

/**
 * Counts a linked PDF's pages in a confined process (`runConfined`), because the file may be malicious. Throws if the process cannot be
 * started or fails for a reason other than the file, and throws the errors of `chunks`.
 */
export async function countPages(
  chunks: AsyncIterable<Uint8Array>,
  limits: ConfinedLimits = COUNT_LIMITS,
): Promise<CountedPages> {
  const args = [String(MAX_FILE_BYTES), READER];
  const { output, code } = await runConfined({ script: COUNTER, args, reads: [READER_FOLDER], limits }, chunks);
  if (code === null) return 'too_complex';
  if (code !== 0 || !COUNTED.test(output))
    throw new Error(`the process that counts the pages of a print file exited with ${code}`);
  return /^\d/.test(output) ? Number(output) : (output as CountedPages);
}
