import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OpenTestApp } from '../http/test-app.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Compiling the same files again would take half of a command's run time, so the results are cached here. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the `platen` command in a separate process that has only this environment and this standard input. */
export function runPlaten(
  args: string[],
  environment: Record<string, string>,
  folder?: string,
  timeout = 25_000,
  input = '',
): Promise<Ran> {
  const options = {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...environment },
    timeout,
    cwd: folder,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** Runs the `platen` command with the home and the database of a test app. */
export function runPlatenOn(
  app: OpenTestApp,
  args: string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Ran> {
  const own = { PLATEN_HOME: app.config.home, DATABASE_URL: app.databaseUrl };
  return runPlaten(args, { ...own, ...environment }, undefined, undefined, input);
}
