import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Runs the `platen` command. Every write to this device fails as on a full disk. */
async function runOnFullDisk(args: string[], full: 'output' | 'output and errors') {
  const device = openSync('/dev/full', 'a');
  onTestFinished(() => closeSync(device));
  const errors = full === 'output' ? 'pipe' : device;
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', device, errors], env: {} });
  let stderr = '';
  child.stderr?.on('data', (chunk) => void (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

test.each([['--version'], ['help'], ['orders', '--help']])(
  'the command platen %s whose output is on a full disk fails and says so once',
  async (...args) => {
    expect(await runOnFullDisk(args, 'output')).toEqual({
      code: 1,
      stderr: 'The output is incomplete, because its disk is full. Free space, and run the command again.\n',
    });
  },
);

test('a command whose output and errors are on a full disk fails without a crash', async () => {
  expect(await runOnFullDisk(['--version'], 'output and errors')).toMatchObject({ code: 1 });
  expect(await runOnFullDisk(['no-such-command'], 'output and errors')).toMatchObject({ code: 2 });
});
