import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../../clock.ts';

/** The limits of a confined script. */
export interface ConfinedLimits {
  /** The time after the input has ended, and the processor time of the whole process. */
  milliseconds: number;
  /** The limit for all memory that the process writes to, inside and outside the heap, except for compiled code. */
  megabytes: number;
  heapMegabytes: number;
}

interface ConfinedScript {
  /** The path of the script's file. */
  script: string;
  args: readonly string[];
  /** Files, and folders with a slash at the end, that the script may read in addition to its own file. */
  reads: readonly string[];
  limits: ConfinedLimits;
}

/** The input may come from a slow server. Its sender has a shorter time limit. */
const MAX_INPUT_MS = 90_000;
/** The codes of errors that mean only that the process no longer reads its input. */
const NOT_READ = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);

/**
 * Runs one of Platen's scripts on possibly malicious bytes (its standard input) in a separate process. The process has no environment,
 * reads only the given paths, writes no file and starts no program. The process is killed if it exceeds its time or memory limit, and it is
 * the first to be killed if the system runs out of memory. Resolves with the standard output and the exit code, which is null if the
 * process was killed. Rejects if the process cannot be started, and with the error of `input`.
 */
export async function runConfined(
  { script, args, reads, limits: { milliseconds, megabytes, heapMegabytes } }: ConfinedScript,
  input: AsyncIterable<Uint8Array>,
): Promise<{ output: string; code: number | null }> {
  // The heap option does not limit memory outside the heap, so the operating system limits both. The operating system also limits the time,
  // in case this process dies before it can kill the script.
  const seconds = Math.ceil(milliseconds / 1000);
  const bounded = [
    `ulimit -d ${(megabytes + reservedForCode()) * 1024} 2>/dev/null`,
    `ulimit -t ${seconds} 2>/dev/null`,
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec "$0" "$@"',
  ].join('\n');
  // Few threads and a small young generation leave more of the memory for the file.
  const heap = [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=2', '--v8-pool-size=1'];
  const allowed = [script, ...reads].map((path) => `--allow-fs-read=${path}`);
  const node = [process.execPath, ...heap, '--permission', ...allowed, script, ...args];
  const child = spawn('/bin/sh', ['-c', bounded, ...node], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: MAX_INPUT_MS + milliseconds,
    killSignal: 'SIGKILL',
  });
  const ended = Promise.all([text(child.stdout), once(child, 'close')]) as Promise<[string, [number | null]]>;
  let cancel = (): void => undefined;
  try {
    const fed = feed(input, child.stdin).then(() => {
      cancel = systemClock.after(milliseconds, () => child.kill('SIGKILL'));
    });
    // If the process cannot be started, `ended` rejects and its input never ends.
    const [[output, [code]]] = await Promise.all([ended, Promise.race([fed, ended])]);
    return { output, code };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    cancel();
  }
}

/** Writes the input. A process that has exited no longer reads it, and its exit code shows how it ended. */
async function feed(input: AsyncIterable<Uint8Array>, stdin: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(Readable.from(input, { objectMode: false }), stdin);
  } catch (error) {
    if (!NOT_READ.has(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

let forCode: number | null = null;

/**
 * Returns the megabytes that Node reserves for compiled code and hardly uses, which the operating system counts as written memory. The
 * number depends on the processor, so this process's own reservation is measured. It is 0 where the system has no such limit.
 */
function reservedForCode(): number {
  forCode ??= measureReservedForCode();
  return forCode;
}

function measureReservedForCode(): number {
  if (process.platform !== 'linux') return 0;
  const bytes = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from = '', to = ''] = /^([\da-f]+)-([\da-f]+) .wx/.exec(line) ?? [];
      return from === '' ? [] : [Number.parseInt(to, 16) - Number.parseInt(from, 16)];
    });
  return Math.ceil(bytes.reduce((sum, one) => sum + one, 0) / 2 ** 20);
}
