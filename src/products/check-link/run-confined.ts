import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What a confined script may take. */
export interface ConfinedLimits {
  milliseconds: number;
  /** Of all memory that is written to. */
  megabytes: number;
}

interface ConfinedScript {
  /** The path of its file. */
  script: string;
  args: readonly string[];
  /** Files and folders (with a slash at the end) that it may read beside its own file. */
  reads: readonly string[];
  limits: ConfinedLimits;
}

/**
 * Runs a script of ours on bytes that may be made to do harm, which it gets on standard input: in a process of its own, without this one's
 * environment, that may read nothing but the given paths, write no file and start no program, and that ends when it takes too long or too
 * much memory. Where memory is short it is the first that the system ends. Resolves with its standard output and its exit code; null: it was
 * ended. Rejects when the process cannot be started.
 */
export async function runConfined(
  { script, args, reads, limits: { milliseconds, megabytes } }: ConfinedScript,
  bytes: Uint8Array,
): Promise<{ said: string; code: number | null }> {
  // A heap of its own size does not bound what lies beside it: the system bounds both, and the time should this process die.
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
  // One that has ended reads no more: its exit tells how.
  child.stdin.on('error', () => {}).end(bytes);
  const [said, [code]] = (await Promise.all([text(child.stdout), once(child, 'close')])) as [string, [number | null]];
  return { said, code };
}
