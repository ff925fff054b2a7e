import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, inject, test } from 'vitest';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';
import { installDeployTools, podSpecsOf, renderChart } from '../deploy/manifests.ts';
import { createSbom } from '../../scripts/write-sbom.ts';
import { runStages, type Built } from './run-stages.ts';
import { readDockerfile, readExecForm, readPairs } from './read-dockerfile.ts';
import { readDockerignore } from './read-dockerignore.ts';
import { canMount, lastOf, runContainer, runInImage, type Container } from './run-container.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const stages = readDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'));
const isExcluded = readDockerignore(await readFile(join(root, '.dockerignore'), 'utf8'));
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  description: string;
  license: string;
};
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
};

/** The size of Debian's own files in the base image. No engine runs here, so this size is not measured. */
const DEBIAN_BYTES = 80e6;

let into: string;
let image: Built;
let databaseUrl: string;
let environment: Record<string, string>;
const running: Container[] = [];

beforeAll(async () => {
  into = await mkdtemp(join(tmpdir(), 'platen-image-'));
  await chmod(into, 0o755);
  image = await runStages(stages, { root, isExcluded, into });
  const bin = join(image.folder, 'usr/local/bin');
  await mkdir(bin, { recursive: true });
  await copyFile(process.execPath, join(bin, 'node'));
}, 600_000);

afterAll(() => rm(into, { recursive: true, force: true }));

beforeEach(async () => {
  databaseUrl = await createEmptyDatabase();
  environment = {
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: await findFreePort(),
    SHOPIFY_API_KEY: randomBytes(16).toString('hex'),
    SHOPIFY_API_SECRET: `shpss_${randomBytes(16).toString('hex')}`,
    SHOPIFY_APP_URL: 'https://platen.example.com',
    PRINT_ORDER_URL: 'https://order.print.example.com',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((container) => container.stop()));
  await administer(`drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
});

describe('the instructions of the Dockerfile', () => {
  test('the Dockerfile builds on the Node version of these tests, pinned by digest', () => {
    expect(stages[0]?.base).toMatch(new RegExp(`^node:${process.versions.node}-[a-z]+-slim@sha256:[0-9a-f]{64}$`));
    expect(stages.slice(1).map(({ base }) => base)).toEqual(['base', 'base', 'base', 'scratch']);
  });

  test('the image runs its command in exec form as a non-root user, and its labels match package.json', () => {
    expect(lastOf(image, 'USER')).toBe('10001:10001');
    expect(readExecForm(lastOf(image, 'CMD'))).toEqual(['node', 'src/main.ts']);
    expect(lastOf(image, 'VOLUME')).toBe(readPairs(image.instructions, 'ENV')['PLATEN_HOME']);
    expect(readPairs(image.instructions, 'ENV')).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
    expect(readPairs(image.instructions, 'LABEL')).toMatchObject({
      'org.opencontainers.image.description': manifest.description,
      'org.opencontainers.image.licenses': manifest.license,
    });
  });

  test('the build context contains everything that the image runs, but no secrets, tests, sandbox or build results', () => {
    for (const path of ['.env', '.git/config', '.platen/encryption-key', 'node_modules/koa', 'test/run.ts', 'docs']) {
      expect([path, isExcluded(path)]).toEqual([path, true]);
    }
    expect(isExcluded('sandbox/start.ts')).toBe(true);
    expect(isExcluded('src/main.ts')).toBe(false);
  });
});

describe('the image that the Dockerfile builds', () => {
  test('the image contains only the files that it needs to run', async () => {
    const app = join(image.folder, image.workdir);
    expect((await readdir(app)).toSorted()).toEqual([
      'LICENSE',
      'build',
      'migrations',
      'node_modules',
      'package.json',
      'src',
    ]);
    for (const [path, { dev, optional, devOptional }] of Object.entries(lock.packages)) {
      if (dev || optional || devOptional) expect([path, await exists(join(app, path))]).toEqual([path, false]);
    }
  });

  test('the image stays below 300 MB', async () => {
    const own = await Promise.all((await listFiles(image.folder)).map(async (path) => (await lstat(path)).size));
    const bytes = own.reduce((sum, size) => sum + size, DEBIAN_BYTES);
    expect(bytes).toBeLessThan(300e6);
    // The sum contains Node, which is the largest file, and the dependencies.
    expect(bytes).toBeGreaterThan(DEBIAN_BYTES + (await stat(process.execPath)).size + 30e6);
  });

  test('the bill of materials lists exactly the packages that the image contains', async () => {
    const modules = join(image.folder, image.workdir, 'node_modules');
    const files = await readdir(modules, { recursive: true, encoding: 'utf8' });
    const folder = String.raw`(?:@[^/]+/)?[^/@][^/]*`;
    const ofPackage = new RegExp(`^(?:${folder}/node_modules/)*${folder}/package\\.json$`);
    const installed = await Promise.all(
      files
        .filter((file) => ofPackage.test(file))
        .map(async (file) => {
          const { name, version } = JSON.parse(await readFile(join(modules, file), 'utf8')) as Record<string, string>;
          return `${name}@${version}`;
        }),
    );
    const { components } = await createSbom();
    const listed = components.filter(({ properties }) => properties?.[0]?.value === 'node_modules');
    expect(listed.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(
      [...new Set(installed)].toSorted(),
    );
  });

  test('the image becomes ready on an empty database, stays healthy while it runs and stops in time', async () => {
    const container = start();
    await container.untilReady();
    expect((await fetch(`${container.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${container.url}/assets/page.css`)).status).toBe(200);
    expect(await listMigrations()).toEqual(await listMigrationFiles());
    expect(await container.checkHealth()).toBe(0);
    const worker = start({ ROLE: 'worker', PORT: await findFreePort() });
    await worker.untilReady();
    expect(await worker.checkHealth()).toBe(0);
    expect(container.output().stderr).toBe('');
    const { code, ms } = await container.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(25_000);
    expect(await container.checkHealth()).toBe(1);
  });

  test('two containers that start simultaneously on an empty database become ready and migrate it once', async () => {
    const both = [start(), start({ PORT: await findFreePort() })];
    await Promise.all(both.map((container) => container.untilReady()));
    expect(await listMigrations()).toEqual(await listMigrationFiles());
  });

  test('the image writes nothing outside its home folder', async () => {
    const before = await listFiles(join(image.folder, image.workdir));
    const container = start();
    await container.untilReady();
    await container.stop();
    expect(await listFiles(join(image.folder, image.workdir))).toEqual(before);
  });

  test.skipIf(!canMount())(
    'the image works on a read-only file system, with only its home folder writable',
    async () => {
      const write = `for (const folder of ['/tmp', '.', process.env.PLATEN_HOME]) fs.writeFileSync(folder + '/new', '')`;
      const writing = runContainer(image, environment, { readOnly: true, command: ['node', '-e', write] });
      expect(await writing.untilExit()).toBe(1);
      expect(writing.output().stderr).toContain("EROFS: read-only file system, open '/tmp/new'");
      const container = start({}, true);
      await container.untilReady();
      expect(await container.checkHealth()).toBe(0);
      expect(container.output().stderr).toBe('');
      expect((await container.stop()).code).toBe(0);
    },
  );

  test('the image has the platen command in its PATH', async () => {
    const container = start();
    await container.untilReady();
    expect(JSON.parse(await runInImage(image, ['platen', 'shops', 'list', '--json'], environment))).toEqual([]);
  });

  test('the chart’s migration job and its `helm test` check work in the image', async () => {
    await installDeployTools();
    const pods = podSpecsOf(await renderChart('minimal'));
    const commandOf = (name: string): string[] => {
      const [container] = pods.get(name)?.containers ?? [];
      return [...(container?.command ?? []), ...(container?.args ?? [])];
    };
    const secured = { ...environment, METRICS_TOKEN: randomBytes(16).toString('hex') };
    expect(await runInImage(image, commandOf('shop-platen-migrate'), secured)).toContain('Migrated: ');
    expect(await listMigrations()).toEqual(await listMigrationFiles());
    const container = start(secured);
    await container.untilReady();
    const check = (url: string): Promise<string> =>
      runInImage(image, commandOf('shop-platen-test'), { ...secured, URL: url });
    expect(await check(container.url)).toContain('"ready":true');
    await expect(check(`${container.url}/other`)).rejects.toThrow();
    await container.stop();
    await expect(check(container.url)).rejects.toThrow();
  });

  test('a container without a required variable exits with code 1 and a one-line explanation', async () => {
    const container = start({ SHOPIFY_API_KEY: '' });
    expect(await container.untilExit()).toBe(1);
    const { stdout, stderr } = container.output();
    expect(stdout).toBe('');
    expect(stderr.trimEnd()).toMatch(/^SHOPIFY_API_KEY is missing: .*$/);
  });
});

function start(changes: Record<string, string> = {}, readOnly = false): Container {
  const container = runContainer(image, { ...environment, ...changes }, { readOnly });
  running.push(container);
  return container;
}

async function findFreePort(): Promise<string> {
  return String((await findFreePorts(1))[0]);
}

async function createEmptyDatabase(): Promise<string> {
  const name = `image_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name}`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function listMigrations(): Promise<string[]> {
  const rows = await administer('select name from migrations order by id', databaseUrl);
  return rows.map(({ name }) => String(name).replace(/^.*?(\d+)$/, '$1'));
}

async function listMigrationFiles(): Promise<string[]> {
  return (await readdir(join(root, 'migrations'))).toSorted().map((name) => name.split('-')[0] ?? '');
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}

async function administer(sql: string, url = inject('databaseUrl')): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
