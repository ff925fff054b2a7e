import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const run = promisify(execFile);

test('a seed of the simulator replays exactly, and no order of it is printed twice, lost or silent', async () => {
  const seed = ['--seeds', '1', '--from', '4', '--orders', '2', '--runs', '2'];
  const { stdout } = await run(process.execPath, [MAIN, '--json', ...seed]);
  expect(JSON.parse(stdout.trimEnd().split('\n')[0] ?? '')).toMatchObject({ seed: 4, findings: [] });
});
