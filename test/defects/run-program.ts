import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** What came of a program. */
export interface Ran {
  /** The last line of its standard output. */
  lastLine: string;
  /** All of its standard error. */
  errors: string;
  isTooLate: boolean;
}

interface ProgramOptions {
  folder: string;
  environment: Record<string, string>;
  limitMs: number;
  signal: AbortSignal;
}

/** So long a program may take to end what it started, before it is killed. */
const ENDS_IN_MS = 60_000;

/**
 * Runs a program of Node in a group of processes of its own. Over its time, or when `signal` is aborted, it is asked to end, and then
 * killed with all that it started. Rejects when it was aborted.
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
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const ending = new AbortController();
  const isTooLate = await Promise.race([exited.then(() => false), once(limit, 'abort', ending).then(() => true)]);
  if (isTooLate) {
    child.kill('SIGTERM');
    await Promise.race([exited, delay(ENDS_IN_MS, undefined, { ref: false })]);
  }
  ending.abort();
  killGroup(child.pid);
  await exited;
  const [output, errors] = await said;
  signal.throwIfAborted();
  return { lastLine: output.trimEnd().split('\n').at(-1) ?? '', errors, isTooLate };
}

/** Whatever is left of it: a pipe that one of them holds open would never end. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing is.
  }
}
