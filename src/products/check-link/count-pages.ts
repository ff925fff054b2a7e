import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `damaged`: it is no PDF that can be read; `locked`: it opens with a password alone; `too_complex`: it takes more than the limits. */
export type CountedPages = number | 'damaged' | 'locked' | 'too_complex';

/** What counting the pages of one file may take. */
interface CountLimits {
  milliseconds: number;
  /** Of all memory that is written to, the file's own 100 MB included. */
  megabytes: number;
}

const LIMITS: CountLimits = { milliseconds: 20_000, megabytes: 1024 };
const COUNTER = fileURLToPath(new URL('page-counter.ts', import.meta.url));
const COUNTED = /^(?:\d{1,9}|damaged|locked|too_complex)$/;

/**
 * Counts the pages of a PDF that a merchant has linked, which may be made to do harm: in a process of its own, without this one's
 * environment, that may write no file and start no program, and that ends when it takes too long or too much memory. Where memory is
 * short it is the first that the system ends. Throws when the process cannot be started or fails of itself.
 */
export async function countPages(bytes: Uint8Array, limits: CountLimits = LIMITS): Promise<CountedPages> {
  const { milliseconds, megabytes } = limits;
  // A heap of its own size does not bound what lies beside it: the system bounds both, and the time should this process die.
  const seconds = Math.ceil(milliseconds / 1000);
  const bounded = [
    `ulimit -d ${megabytes * 1024} 2>/dev/null`,
    `ulimit -t ${seconds} 2>/dev/null`,
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec "$0" "$@"',
  ].join('\n');
  const heap = `--max-old-space-size=${Math.floor(megabytes / 2)}`;
  const node = [process.execPath, heap, '--permission', '--allow-fs-read=*', COUNTER, String(bytes.length)];
  const child = spawn('/bin/sh', ['-c', bounded, ...node], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
  // One that has ended reads no more: how it ended is told below.
  child.stdin.on('error', () => {}).end(bytes);
  const [said, [code, signal]] = (await Promise.all([text(child.stdout), once(child, 'close')])) as [
    string,
    [number | null, NodeJS.Signals | null],
  ];
  if (signal !== null) return 'too_complex';
  if (code !== 0 || !COUNTED.test(said)) throw new Error(`counting the pages of a print file ended with ${code}`);
  return /^\d/.test(said) ? Number(said) : (said as CountedPages);
}
