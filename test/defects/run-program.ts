import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** The result of running a program. */
export interface Ran {
  /** The last line of the program's standard output. */
  lastLine: string;
  /** The program's entire standard error. */
  errors: string;
  isTimedOut: boolean;
}

interface ProgramOptions {
  folder: string;
  environment: Record<string, string>;
  limitMs: number;
  signal: AbortSignal;
}

/** How long a program may take to end its own processes before it is killed. */
const ENDS_IN_MS = 60_000;

/**
 * Runs a Node program in a separate process group. After its time limit, or when `signal` is aborted, the program receives a termination
 * signal and is then killed with all processes that it started. Rejects if `signal` was aborted.
 */
export async function runProgram(
  args: readonly string[],
  { folder, environment, limitMs, signal }: ProgramOptions,
): Promise<Ran> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = once(child, 'exit').then(() => undefined);
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const ending = new AbortController();
  const isTimedOut = await Promise.race([exited.then(() => false), once(limit, 'abort', ending).then(() => true)]);
  if (isTimedOut) {
    child.kill('SIGTERM');
    await Promise.race([exited, delay(ENDS_IN_MS, undefined, { ref: false })]);
  }
  ending.abort();
  killGroup(child.pid);
  await exited;
  const [output, errors] = await outputs;
  signal.throwIfAborted();
  return { lastLine: output.trimEnd().split('\n').at(-1) ?? '', errors, isTimedOut };
}

/** Kills the remaining processes of the group. Otherwise, a pipe that one of them holds open would never end. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
