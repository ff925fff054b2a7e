import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { version: string }>;
};
const SCRIPT = fileURLToPath(new URL('../../scripts/audit-dependencies.ts', import.meta.url));

let respond: (response: ServerResponse, path: string) => void;
let audits = 0;
const registry = createServer((request, response) => {
  if (request.url?.includes('/advisories/bulk')) audits += 1;
  respond(response, request.url ?? '');
});

beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
beforeEach(() => void (audits = 0));
afterAll(() => void registry.close());

/** Runs the script against the registry. Resolves to its exit code and output. */
async function audit(...args: string[]): Promise<{ code: number | null; output: string }> {
  const address = registry.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_registry: url };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SCRIPT, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

const json = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** The versions of a package, which npm reads for each package that depends on a vulnerable one. */
function toPackument(path: string): object {
  const name = decodeURIComponent(path.slice(1));
  const version = packages[`node_modules/${name}`]?.version ?? '0.0.0';
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
}

test('the audit succeeds if the registry knows no vulnerability', async () => {
  respond = (response) => json(response, 200, {});
  expect(await audit('--required')).toMatchObject({
    code: 0,
    output: expect.stringContaining('No production dependency'),
  });
  expect(audits).toBe(1);
});

test('the audit fails if the registry knows a serious vulnerability', async () => {
  const advisory = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Bad',
    severity: 'critical',
    vulnerable_versions: '*',
  };
  respond = (response, path) =>
    json(response, 200, path.includes('/advisories/bulk') ? { koa: [advisory] } : toPackument(path));
  const { code, output } = await audit();
  expect(code).toBe(1);
  expect(output).toContain('koa: critical');
});

test('a registry that does not support audits is reported, and the script fails only if an audit is required', async () => {
  respond = (response) => json(response, 405, {});
  const { code, output } = await audit();
  expect([code, output]).toEqual([0, expect.stringContaining('The audit was not possible')]);
  expect(output).not.toContain('127.0.0.1');
  expect((await audit('--required')).code).toBe(2);
});
