import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Finds the live processes that have the folder in their arguments or environment. */
async function processesOf(home: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (id: string, file: string) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
  const named = await Promise.all(
    ids.map(async (id) => ((await read(id, 'cmdline')) + (await read(id, 'environ'))).includes(home)),
  );
  return ids.filter((_id, index) => named[index]);
}

test.runIf(process.platform === 'linux')('an interrupted run leaves no process and no folder behind', async () => {
  const child = spawn(process.execPath, [MAIN, '--orders', '5', '--replicas', '2', '--seed', '7'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let home = '';
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    home = /their files are in (\S+)/.exec(line)?.[1] ?? '';
    if (home !== '') break;
  }
  expect(lines[0]).toMatch(/seed 7$/);
  expect(home).not.toBe('');
  // The run consists of two replicas, the stand-ins and PostgreSQL.
  expect((await processesOf(home)).length).toBeGreaterThanOrEqual(4);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([1, null]);
  await expect.poll(() => processesOf(home)).toEqual([]);
  expect(existsSync(home)).toBe(false);
});
