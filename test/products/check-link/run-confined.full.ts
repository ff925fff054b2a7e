import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runConfined } from '../../../src/products/check-link/run-confined.ts';

const LIMITS = { milliseconds: 20_000, megabytes: 320, heapMegabytes: 96 };

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'platen-confined-'));
  mkdirSync(join(home, 'library'));
  for (const path of ['library/part.txt', 'secret.txt']) writeFileSync(join(home, path), path);
});
afterAll(() => rmSync(home, { recursive: true }));

/** Runs a script that may read the folder `library`. Returns the script's output and exit code. */
async function run(script: string, bytes = Buffer.alloc(0)): Promise<{ output: string; code: number | null }> {
  const path = join(home, 'script.mts');
  const tries = `const tried = async (act) => { try { return String(await act()); } catch (error) { return error.code ?? error.message; } };`;
  writeFileSync(path, `import * as fs from 'node:fs';\n${tries.replace('act)', 'act: () => unknown)')}\n${script}`);
  return runConfined(
    { script: path, args: [home], reads: [join(home, 'library/')], limits: LIMITS },
    Readable.from([bytes]),
  );
}
const reads = (path: string) =>
  run(`console.log(await tried(() => fs.readFileSync(${JSON.stringify(path)}, 'utf8')));`);

test('a confined script gets its bytes and arguments, and its output and exit code are returned', async () => {
  const script = `console.log(process.argv[2], fs.readFileSync(0, 'utf8')); process.exitCode = 3;`;
  expect(await run(script, Buffer.from('bytes'))).toEqual({ output: `${home} bytes\n`, code: 3 });
});

test('a confined script can read the given paths', async () => {
  expect(await reads(join(home, 'library/part.txt'))).toEqual({ output: 'library/part.txt\n', code: 0 });
});

test.each([
  ['a file next to its own', () => join(home, 'secret.txt')],
  ['a file reached through a readable folder', () => `${home}/library/../secret.txt`],
  ['a file of the system', () => '/etc/hostname'],
  ['the environment of its parent', () => `/proc/${process.pid}/environ`],
])('a confined script cannot read %s', async (_what, path) => {
  expect((await reads(path())).output).toBe('ERR_ACCESS_DENIED\n');
});

test.each([
  ['list a folder', `() => fs.readdirSync(process.argv[2] ?? '')`],
  ['write to a readable folder', `() => fs.writeFileSync(process.argv[2] + '/library/part.txt', '')`],
  ['start a program', `async () => (await import('node:child_process')).execFileSync('/bin/true')`],
  ['start a thread', `async () => new (await import('node:worker_threads')).Worker('1', { eval: true })`],
])('a confined script cannot %s', async (_what, act) => {
  expect((await run(`console.log(await tried(${act}));`)).output).toBe('ERR_ACCESS_DENIED\n');
});

test('a confined script has no environment variables from its parent', async () => {
  const { output, code } = await run(`console.log(Object.keys(process.env).join());`);
  expect(code).toBe(0);
  expect(process.env['PATH']).toBeDefined();
  // The shell that starts the script sets some variables itself, so only these three are checked.
  for (const name of ['PATH', 'HOME', 'NODE_ENV']) expect(output.trim().split(',')).not.toContain(name);
});

test('a confined script that exceeds its time limit is killed', async () => {
  const path = join(home, 'endless.mts');
  writeFileSync(path, `setInterval(() => {}, 1_000);`);
  const endless = { script: path, args: [], reads: [], limits: { ...LIMITS, milliseconds: 1_000 } };
  expect((await runConfined(endless, Readable.from([]))).code).toBeNull();
});

test('a confined script that exceeds its memory limit is killed', async () => {
  const script = `console.log('begun'); const kept: Buffer[] = []; for (;;) kept.push(Buffer.alloc(1 << 24, 1));`;
  const { output, code } = await run(script);
  expect(output).toBe('begun\n');
  expect(code).not.toBe(0);
});
