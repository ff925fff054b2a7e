import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkShopifyApp } from '../../scripts/check-shopify-app.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Joined from parts, because the check would otherwise find the token in this file. */
const accessToken = ['shpat', '0123456789abcdef'.repeat(2)].join('_');

let app: string;

beforeEach(async () => {
  app = await mkdtemp(join(tmpdir(), 'platen-checked-'));
  await run('git', ['init', '--quiet', app]);
  await copy('shopify.app.toml', '.gitignore', 'src/shopify', 'extensions/theme', 'extensions/flow');
  await writeFile(join(app, 'package.json'), '{"name":"platen","version":"0.1.0"}');
});

afterEach(() => rm(app, { recursive: true, force: true }));

test('an app without problems passes, and the check leaves nothing behind in its folder', async () => {
  const before = await readdir(app, { recursive: true });
  expect(await checkShopifyApp(app)).toEqual([]);
  expect(await readdir(app, { recursive: true })).toEqual(before);
});

test('a file that the build leaves behind and that git does not ignore is reported', async () => {
  // The CLI leaves files only beside an extension that it compiles.
  await copy('extensions/packing-slip', 'extensions/shared', 'extensions/tsconfig.json');
  expect(await checkShopifyApp(app)).toEqual([]);
  const path = join(app, '.gitignore');
  const rules = (await readFile(path, 'utf8')).split('\n').filter((rule) => !rule.startsWith('extensions/'));
  await writeFile(path, rules.join('\n'));
  expect((await checkShopifyApp(app)).join('\n')).toMatch(
    /app build left these files behind[^]*extensions\/packing-slip\/dist\/[^]*extensions\/packing-slip\/manifest\.json/,
  );
});

test('a secret in the files is reported with its location but not its value', async () => {
  await writeFile(join(app, 'src/call.ts'), `\nexport const accessToken = '${accessToken}';\n`);
  const found = (await checkShopifyApp(app)).join('\n');
  expect(found).toMatch(/app doctor, COMMITTED_SECRET: .* src\/call\.ts:2/);
  expect(found).not.toContain(accessToken);
});

test('a secret in a file that git ignores is not reported', async () => {
  await writeFile(join(app, '.env'), `SHOPIFY_ACCESS_TOKEN=${accessToken}\n`);
  expect(await checkShopifyApp(app)).toEqual([]);
});

test('a redirect to plain http is reported', async () => {
  await changeToml('redirect_urls = ["https:', 'redirect_urls = ["http:');
  expect((await checkShopifyApp(app)).join('\n')).toContain('app doctor, INSECURE_WEBHOOK_URL');
});

test('an address in extensions/flow that belongs to another server is reported', async () => {
  await changeToml('application_url = "https://platen.example.com"', 'application_url = "https://prints.example.com"');
  expect((await checkShopifyApp(app)).join('\n')).toContain(
    'https://platen.example.com/flow/trigger-use must begin with application_url',
  );
});

test('missing compliance topics are reported', async () => {
  await changeToml('compliance_topics = ["customers/data_request", ', 'compliance_topics = [');
  expect((await checkShopifyApp(app)).join('\n')).toContain('app doctor, MISSING_COMPLIANCE_WEBHOOKS');
});

test("an app that does not build is reported with the CLI's message", async () => {
  await changeToml('embedded = true', 'embedded = "yes"');
  expect((await checkShopifyApp(app)).join('\n')).toMatch(/app build ended with 1:[^]*embedded/);
});

test('an error in a theme extension is reported, although the app builds', async () => {
  const path = join(app, 'extensions/theme/blocks/delivery-estimate.liquid');
  await writeFile(path, `${await readFile(path, 'utf8')}{{ 'a' | no_such_filter }}\n`);
  const found = await checkShopifyApp(app);
  expect(found).toEqual([expect.stringMatching(/^theme check, UnknownFilter: .* extensions\/theme\/blocks\/\S+:\d+$/)]);
});

test('a text that is missing in one language of a theme extension is reported', async () => {
  await writeFile(join(app, 'extensions/theme/locales/de.json'), '{ "estimate": {} }');
  expect((await checkShopifyApp(app)).join('\n')).toContain('theme check, MatchingTranslations');
});

test('an app without its TOML file does not pass', async () => {
  await rm(join(app, 'shopify.app.toml'));
  expect(await checkShopifyApp(app)).not.toEqual([]);
});

async function copy(...names: string[]): Promise<void> {
  for (const name of names) {
    await cp(join(root, name), join(app, name), {
      recursive: true,
      // A build of this folder may have left files.
      filter: (path) => !/\/(dist|manifest\.json)$/.test(path),
    });
  }
}

async function changeToml(part: string, instead: string): Promise<void> {
  const path = join(app, 'shopify.app.toml');
  const toml = await readFile(path, 'utf8');
  expect(toml).toContain(part);
  await writeFile(path, toml.replace(part, instead));
}
