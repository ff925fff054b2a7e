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
  return lines.map((line) => JSON.parse(line) as Line).toSorted((one, other) => one.seed - other.seed);
}

test('a seed of the simulator replays exactly, and no order of it is printed twice, lost or silent', async () => {
  const first = await simulate('--seeds', '2', '--orders', '2');
  expect(first.map(({ seed, findings }) => ({ seed, findings }))).toEqual([
    { seed: 1, findings: [] },
    { seed: 2, findings: [] },
  ]);
  const hashes = (lines: Line[]): string[] => lines.map(({ hash }) => hash);
  expect(hashes(await simulate('--seeds', '2', '--orders', '2'))).toEqual(hashes(first));
});
