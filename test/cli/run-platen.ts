import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the `platen` command in a process of its own with this environment and no other. */
export function runPlaten(args: string[], environment: Record<string, string>): Promise<Ran> {
  const options = { env: { PATH: process.env['PATH'], ...environment }, timeout: 25_000 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
