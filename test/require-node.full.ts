import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const OLD_NODE = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`;

test.each([
  ['npm start', ['--import', './src/require-node.js', 'src/main.ts']],
  ['npx platen', ['src/cli/platen.js', 'help']],
])('with a Node that is too old, %s names the Node that it needs', (_command, args) => {
  const run = spawnSync(process.execPath, ['--import', OLD_NODE, ...args], { cwd: root, encoding: 'utf8' });
  expect(run.stderr).toMatch(/^Platen needs Node 24, but this is Node 20\.20\.2\. "npm ci" installs Node 24 .*\n$/);
  expect(run).toMatchObject({ status: 1, stdout: '' });
});
