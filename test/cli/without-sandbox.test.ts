import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'platen-image-'));
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('after a prune, a start without a configuration says what to do', async () => {
  const pruned = mkdtempSync(join(tmpdir(), 'platen-pruned-'));
  onTestFinished(() => rmSync(pruned, { recursive: true, force: true }));
  for (const name of ['src', 'sandbox', 'package.json'])
    cpSync(join(ROOT, name), join(pruned, name), { recursive: true });
  mkdirSync(join(pruned, 'node_modules'));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object };
  const isKept = (name: string) => name in dependencies || !name.startsWith('@shopify/');
  for (const name of listPackages().filter(isKept)) {
    mkdirSync(dirname(join(pruned, 'node_modules', name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(pruned, 'node_modules', name));
  }
  const options = { env: { PATH: process.env['PATH'], PLATEN_HOME: join(pruned, 'home') }, timeout: 20_000 };
  const run = promisify(execFile)(process.execPath, [join(pruned, 'src', 'main.ts')], options);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/SHOPIFY_API_KEY is missing: the sandbox cannot start after "npm prune .*"npm ci"/),
  });
});

function listPackages(): string[] {
  const folder = join(ROOT, 'node_modules');
  return readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
  );
}

test.each(['demo', 'sandbox'])('platen %s reports that the image has no sandbox', async (command) => {
  const options = { env: { PATH: process.env['PATH'], PLATEN_HOME: join(copy, 'home') }, timeout: 20_000 };
  const run = promisify(execFile)(process.execPath, [join(copy, 'src', 'cli', 'main.ts'), command], options);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `platen ${command} cannot run: the sandbox is not part of this image.\n`,
  });
});
