import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withEnvironment } from '../../src/config.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';

const REPORT_MODULES = fileURLToPath(new URL('./report-modules.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let home: string;
let database: TestDatabase;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-modules-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

/** Starts a worker, stops it as soon as it is ready, and returns the addresses of the modules that it loaded. */
async function startAndListModules(name: string, environment: Record<string, string>): Promise<string[]> {
  const [port = 0, other = 0] = await findFreePorts(2);
  const file = join(home, name);
  const env = withEnvironment({
    MODULES_FILE: file,
    PLATEN_HOME: home,
    ROLE: 'worker',
    PORT: String(port),
    DATABASE_URL: database.url,
    SHOPIFY_API_KEY: 'sandbox-app',
    SHOPIFY_API_SECRET: 'sandbox-secret',
    SHOPIFY_APP_URL: `http://127.0.0.1:${other}`,
    PRINT_ORDER_URL: `http://127.0.0.1:${other}`,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...environment,
  });
  await promisify(execFile)(process.execPath, ['--import', REPORT_MODULES, MAIN], { env });
  return readFileSync(file, 'utf8').split('\n');
}

test('a process loads the SDK and the exporter of OpenTelemetry only if an endpoint is set', async () => {
  // The metrics library always loads OpenTelemetry's API.
  const isTelemetry = (url: string) =>
    url.includes('/node_modules/@opentelemetry/') && !url.includes('/node_modules/@opentelemetry/api/');
  const off = await startAndListModules('off', {});
  expect(off.some((url) => url.endsWith('/src/main.ts'))).toBe(true);
  expect(off.filter(isTelemetry)).toEqual([]);
  const on = await startAndListModules('on', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(on.filter(isTelemetry).length).toBeGreaterThan(10);
}, 120_000);
