import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const RESULT = 'build/admin/server/render.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-pruned-'));
  for (const script of ['build-admin.ts', 'find-newest-change.ts'])
    cpSync(join(root, 'scripts', script), join(folder, 'scripts', script));
  for (const path of ['src', 'build/admin/server']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [index, path] of ['src/page.ts', 'src', RESULT, 'package-lock.json'].entries()) {
    if (path !== 'src') writeFileSync(join(folder, path), '');
    setAge(path, 1_000 - index);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

function setAge(path: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds;
  utimesSync(join(folder, path), time, time);
}

/** Runs the script in a folder without development dependencies, and returns what it prints. */
function buildPages(): string {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/build-admin.ts')], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stderr;
}

test('pages that were built before the development dependencies were removed are used without a warning', () => {
  expect(buildPages()).toBe('');
});

test('pages that are missing or older than the code cause a warning, because they cannot be built', () => {
  setAge('src/page.ts', 0);
  expect(buildPages()).toMatch(/^The pages are missing or older than the code: run "npm ci"/);
  rmSync(join(folder, RESULT));
  expect(buildPages()).toMatch(/^The pages are missing/);
});
