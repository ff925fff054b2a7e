import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The limits of a confined script. */
export interface ConfinedLimits {
  milliseconds: number;
  /** The limit for all memory that the process writes to, inside and outside the heap. */
  megabytes: number;
}

interface ConfinedScript {
  /** The path of the script's file. */
  script: string;
  args: readonly string[];
  /** Files, and folders with a slash at the end, that the script may read in addition to its own file. */
  reads: readonly string[];
  limits: ConfinedLimits;
}

/**
 * Runs one of Platen's scripts on possibly malicious bytes (its standard input) in a separate process. The process has no environment,
 * reads only the given paths, writes no file and starts no program. The process is killed if it exceeds its time or memory limit, and it is
 * the first to be killed if the system runs out of memory. Resolves with the standard output and the exit code, which is null if the
 * process was killed. Rejects if the process cannot be started.
 */
export async function runConfined(
  { script, args, reads, limits: { milliseconds, megabytes } }: ConfinedScript,
  bytes: Uint8Array,
): Promise<{ output: string; code: number | null }> {
  // The heap option does not limit memory outside the heap, so the operating system limits both. The operating system also limits the time,
  // in case this process dies before it can kill the script.
  const seconds = Math.ceil(milliseconds / 1000);
  const bounded = [
    `ulimit -d ${megabytes * 1024} 2>/dev/null`,
    `ulimit -t ${seconds} 2>/dev/null`,
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec "$0" "$@"',
  ].join('\n');
  const heap = `--max-old-space-size=${Math.floor(megabytes / 2)}`;
  const allowed = [script, ...reads].map((path) => `--allow-fs-read=${path}`);
  const node = [process.execPath, heap, '--permission', ...allowed, script, ...args];
  const child = spawn('/bin/sh', ['-c', bounded, ...node], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
  // A process that has exited no longer reads its input. Its exit code shows how it ended.
  child.stdin.on('error', () => {}).end(bytes);
  const [output, [code]] = (await Promise.all([text(child.stdout), once(child, 'close')])) as [string, [number | null]];
  return { output, code };
}
