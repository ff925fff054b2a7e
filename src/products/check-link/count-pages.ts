import { fileURLToPath } from 'node:url';
import { runConfined, type ConfinedLimits } from './run-confined.ts';

/** `damaged`: it is no PDF that can be read; `locked`: it opens with a password alone; `too_complex`: it takes more than the limits. */
export type CountedPages = number | 'damaged' | 'locked' | 'too_complex';

/** The file's own 100 MB are part of the memory. */
const LIMITS: ConfinedLimits = { milliseconds: 20_000, megabytes: 1024 };
const COUNTER = fileURLToPath(new URL('page-counter.ts', import.meta.url));
const READER = import.meta.resolve('unpdf');
/** The package with its `package.json`, which is read when its parts find each other. */
const READER_FOLDER = fileURLToPath(new URL('../', READER));
const COUNTED = /^(?:\d{1,9}|damaged|locked|too_complex)$/;

/**
 * Counts the pages of a PDF that a merchant has linked, confined as `runConfined` does, since it may be made to do harm. Throws when the
 * process cannot be started or fails of itself.
 */
export async function countPages(bytes: Uint8Array, limits: ConfinedLimits = LIMITS): Promise<CountedPages> {
  const args = [String(bytes.length), READER];
  const { said, code } = await runConfined({ script: COUNTER, args, reads: [READER_FOLDER], limits }, bytes);
  if (code === null) return 'too_complex';
  if (code !== 0 || !COUNTED.test(said)) throw new Error(`counting the pages of a print file ended with ${code}`);
  return /^\d/.test(said) ? Number(said) : (said as CountedPages);
}
