import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'platen-image-'));
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.each(['demo', 'sandbox'])('platen %s reports that the image has no sandbox', async (command) => {
  const options = { env: { PATH: process.env['PATH'], PLATEN_HOME: join(copy, 'home') }, timeout: 20_000 };
  const run = promisify(execFile)(process.execPath, [join(copy, 'src', 'cli', 'main.ts'), command], options);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `platen ${command} cannot run: the sandbox is not part of this image.\n`,
  });
});
