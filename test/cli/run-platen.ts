import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { run } from '../../src/cli/run.ts';

export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Compiling the same files again would take half of a command's run time, so the results are cached here. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

let last: Promise<void> = Promise.resolve();

/**
 * Runs the `platen` command in this process, with only this environment, this current folder and this standard input, and captures its
 * output. One command runs at a time. `app` is what a command gets instead of opening an app of its own.
 */
export async function runPlaten(
  args: string[],
  environment: Record<string, string>,
  folder = process.cwd(),
  { app, input = '' }: { app?: App; input?: string } = {},
): Promise<Ran> {
  const earlier = last;
  const ended = Promise.withResolvers<void>();
  last = ended.promise;
  await earlier;
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((of) =>
    vi.spyOn(process[of], 'write').mockImplementation((text) => {
      written[of] += String(text);
      return true;
    }),
  );
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(new PassThrough().end(input) as never);
  const before = { environment: process.env, folder: process.cwd() };
  process.env = { PATH: before.environment['PATH'], ...environment };
  process.chdir(folder);
  try {
    const code = app === undefined ? run(args) : passTime(app, () => run(args, (act) => act(app)));
    return { code: await code, ...written };
  } finally {
    process.env = before.environment;
    process.chdir(before.folder);
    for (const spy of [...spies, stdin]) spy.mockRestore();
    ended.resolve();
  }
}

/** Lets the time of a virtual clock pass while the command waits. */
function passTime(app: App, act: () => Promise<number>): Promise<number> {
  return 'during' in app.clock ? (app.clock.during as (work: Promise<number>) => Promise<number>)(act()) : act();
}

/** Runs the `platen` command in this process on an app. */
export function runPlatenOn(
  app: App,
  args: string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Ran> {
  return runPlaten(args, { ...toEnvironment(app), ...environment }, undefined, { app, input });
}

/** The variables with which a command uses the home folder and the database of an app. */
function toEnvironment({ config, db }: App): Record<string, string> {
  return { PLATEN_HOME: config.home, DATABASE_URL: (db.options as { url: string }).url };
}

/** Runs the `platen` command in a process of its own that has only this environment. */
export function startPlatenProcess(args: string[], environment: Record<string, string>, input = ''): Promise<Ran> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env, timeout: 60_000 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}
