import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const run = promisify(execFile);

interface Line {
  seed: number;
  hash: string;
  findings: unknown[];
}

async function simulate(...args: string[]): Promise<Line[]> {
  const { stdout } = await run(process.execPath, [MAIN, '--json', ...args]);
  const lines = stdout.trimEnd().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

test('a seed of the simulator replays exactly, and no order of it is printed twice, lost or silent', async () => {
  const seed = ['--seeds', '1', '--from', '4', '--orders', '2'];
  const [first] = await simulate(...seed);
  expect(first).toMatchObject({ seed: 4, findings: [] });
  expect((await simulate(...seed))[0]?.hash).toBe(first?.hash);
});
