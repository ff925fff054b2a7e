import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const DEV = fileURLToPath(new URL('../../scripts/dev.ts', import.meta.url));

test('npm run dev detects files saved in place, by renaming and in a new folder', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'platen-dev-'));
  const save = (file: string, text: string): void => writeFileSync(join(cwd, 'src', file), text);
  const saveByRename = (file: string, text: string): void => {
    save('.saved', text);
    renameSync(join(cwd, 'src', '.saved'), join(cwd, 'src', file));
  };
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
  save('part.ts', `export const version = 'one';`);
  save('main.ts', `import { version } from './part.ts'; console.log('runs', version); setInterval(() => {}, 1000);`);
  save('page.css', 'a {}');
  const dev = spawn(process.execPath, [DEV], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    const ended = once(dev, 'exit');
    dev.kill('SIGTERM');
    await ended;
    rmSync(cwd, { recursive: true });
  });
  let said = '';
  dev.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const starts = () => said.match(/runs \w+/g) ?? [];
  const until = (...versions: string[]) =>
    expect.poll(starts, { timeout: 10_000 }).toEqual(versions.map((version) => `runs ${version}`));

  await until('one');
  save('part.ts', `export const version = 'two';`);
  await until('one', 'two');
  saveByRename('part.ts', `export const version = 'three';`);
  await until('one', 'two', 'three');
  // A watcher on the replaced file would miss this save.
  save('part.ts', `export const version = 'four';`);
  await until('one', 'two', 'three', 'four');
  save('page.css', 'b {}');
  await until('one', 'two', 'three', 'four', 'four');
  mkdirSync(join(cwd, 'src', 'new'));
  save('new/other.ts', 'export {};');
  await until('one', 'two', 'three', 'four', 'four', 'four');
});
