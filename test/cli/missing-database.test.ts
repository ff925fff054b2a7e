import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuseMissingHome } from '../../src/refuse-missing-home.ts';
import { runPlaten } from './run-platen.ts';

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'platen-elsewhere-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test.each([['shops', 'list'], ['migrate']])(
  'platen %s creates nothing in a folder without a Platen database, and prints an error',
  async (...args) => {
    const ran = await runPlaten(args, {}, folder);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /^No Platen database was found: DATABASE_URL is not set, and PLATEN_HOME \(\S+\) does not contain one\. /,
    );
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a command that has a database but no encryption key creates no folder for the key', async () => {
  const ran = await runPlaten(['shops', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/platen' }, folder);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('No encryption key was found') });
  expect(readdirSync(folder)).toEqual([]);
});

test('only a command that may create a database runs if there is no database yet', () => {
  const home = join(folder, 'not-there');
  const allow = (environment: NodeJS.ProcessEnv, mayCreate: boolean) => () =>
    refuseMissingHome({ PLATEN_HOME: home, ...environment }, { mayCreate });
  expect(allow({ DATABASE_URL: 'postgres://localhost/platen' }, true)).not.toThrow();
  expect(allow({ DATABASE_URL: 'embedded' }, true)).not.toThrow();
  expect(allow({ PLATEN_HOME: folder }, true)).not.toThrow();
  expect(allow({ DATABASE_URL: 'embedded' }, false)).toThrow('No Platen database was found');
  expect(allow({ PLATEN_HOME: folder }, false)).toThrow('No Platen database was found');
  expect(allow({ DATABASE_URL: 'postgres://localhost/platen', ENCRYPTION_KEY: 'key' }, false)).not.toThrow();
});
