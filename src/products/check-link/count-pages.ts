import { fileURLToPath } from 'node:url';
import { runConfined, type ConfinedLimits } from './run-confined.ts';

/**
 * `damaged`: the file cannot be read as a PDF. `locked`: the file opens only with a password. `too_complex`: counting exceeds the limits.
 */
export type CountedPages = number | 'damaged' | 'locked' | 'too_complex';

/** The memory limit includes the file itself, which may have up to 100 MB. */
const LIMITS: ConfinedLimits = { milliseconds: 20_000, megabytes: 1024 };
const COUNTER = fileURLToPath(new URL('page-counter.ts', import.meta.url));
const READER = import.meta.resolve('unpdf');
/** The folder of the PDF library's package. Node reads the `package.json` there when the library's modules import each other. */
const READER_FOLDER = fileURLToPath(new URL('../', READER));
const COUNTED = /^(?:\d{1,9}|damaged|locked|too_complex)$/;

/**
 * Counts a linked PDF's pages in a confined process (`runConfined`), because the file may be malicious. Throws if the process cannot be
 * started or fails for a reason other than the file.
 */
export async function countPages(bytes: Uint8Array, limits: ConfinedLimits = LIMITS): Promise<CountedPages> {
  const args = [String(bytes.length), READER];
  const { output, code } = await runConfined({ script: COUNTER, args, reads: [READER_FOLDER], limits }, bytes);
  if (code === null) return 'too_complex';
  if (code !== 0 || !COUNTED.test(output))
    throw new Error(`the process that counts the pages of a print file exited with ${code}`);
  return /^\d/.test(output) ? Number(output) : (output as CountedPages);
}
