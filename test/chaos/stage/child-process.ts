import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const END_WITH_PARENT = fileURLToPath(new URL('./end-with-parent.ts', import.meta.url));
const MAX_COMMAND_MS = 120_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

interface ProcessOptions {
  /** The folder that contains the code. The default is this repository. */
  root?: string | undefined;
  /** The script's path within that folder. */
  script: string;
  args?: string[];
  /** Modules that are loaded before the script. */
  imports?: string[];
  /** The process's entire environment, except PATH. */
  environment: Record<string, string>;
  /** The file to which standard output and error are appended. */
  logFile: string;
}

/** Starts a Platen program in a separate process that ends when this process ends. */
export function spawnProgram({
  root = ROOT,
  script,
  args = [],
  imports = [],
  environment,
  logFile,
}: ProcessOptions): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    const loaded = [END_WITH_PARENT, ...imports].flatMap((module) => ['--import', module]);
    return spawn(process.execPath, [...loaded, join(root, script), ...args], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}

/** Sends SIGKILL, which also ends a frozen process, and waits for the process to exit. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Runs `platen` with this environment and returns its standard output. If the command fails, rejects with an Error that includes the
 * command's error output.
 */
export async function runPlatenCommand(
  args: string[],
  environment: Record<string, string>,
  root: string = ROOT,
): Promise<string> {
  const main = join(root, 'src/cli/main.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
      env: { PATH: process.env['PATH'], ...environment },
      timeout: MAX_COMMAND_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    const message = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(`platen ${args.join(' ')}: ${message === '' ? String(error) : message}`, { cause: error });
  }
}
