import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { inject, onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { Deliveries, type Delivery } from '../../src/database/entities/deliveries.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { listen, type EndpointOptions, type Endpoints } from '../../src/http/server.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createPrintClient } from '../../src/print/client.ts';
import { createShopify } from '../../src/shopify/client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { systemClock } from '../../src/clock.ts';

const SECRET = 'sandbox-secret';
const API_KEY = 'sandbox-app';

export interface TestApp extends App {
  /** Everything that has been logged, at every level and without redaction. */
  logged(): string;
  close(): Promise<void>;
}

/** A test app with a separate database, which `close` drops. */
export interface OpenTestApp extends TestApp {
  databaseUrl: string;
}

/** Endpoints with their own test app. `close` closes everything. */
export interface TestEndpoints extends Endpoints {
  app: OpenTestApp;
}

/** Creates an app from real parts on this database, with its own home folder and a log that tests can read. */
export function createTestApp(db: DataSource, environment: NodeJS.ProcessEnv = {}): TestApp {
  const home = mkdtempSync(join(tmpdir(), 'platen-endpoints-'));
  const config = readConfig({
    PLATEN_HOME: home,
    PORT: '0',
    SHOPIFY_APP_URL: 'http://127.0.0.1:3000',
    PRINT_TIMEOUT_SECONDS: '1',
    ...environment,
  });
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const shopify = createShopify({ ...config.shopify, clock: systemClock, log });
  const print = createPrintClient({
    clock: systemClock,
    urls: config.print.urls,
    timeoutMs: config.print.timeoutSeconds * 1000,
  });
  return {
    config,
    db,
    intake: db,
    log,
    shopify,
    print,
    jobs: { enqueue },
    clock: systemClock,
    logged: () => lines.join(''),
    async close() {
      await Promise.all([shopify.close(), print.close()]);
      rmSync(home, { recursive: true });
    },
  };
}

/** Opens an app from real parts on its own migrated, empty database. Call `close` in afterAll or afterEach. */
export async function openTestApp(environment: NodeJS.ProcessEnv = {}): Promise<OpenTestApp> {
  const database = await createTestDatabase();
  const app = createTestApp(database.db, environment);
  return {
    ...app,
    databaseUrl: database.url,
    async close() {
      await app.close();
      await database.drop();
    },
  };
}

/** Opens an app with `openTestApp` and serves its endpoints on a free port. */
export async function openTestEndpoints(
  environment: NodeJS.ProcessEnv = {},
  options: EndpointOptions = {},
): Promise<TestEndpoints> {
  const app = await openTestApp(environment);
  const endpoints = await listen(app, options);
  return {
    ...endpoints,
    app,
    async close() {
      await endpoints.close();
      await app.close();
    },
  };
}

export async function addShop(
  db: DataSource,
  domain = `shop-${randomUUID().slice(0, 8)}.myshopify.com`,
): Promise<Shop> {
  const { id } = await db
    .getRepository(Shops)
    .save({ domain, currency: 'USD', takesOrdersFrom: new Date('2026-01-01T00:00:00Z') });
  return db.getRepository(Shops).findOneByOrFail({ id });
}

export function signBody(body: string | Buffer, secret = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/** Returns a session token like those of App Bridge. */
export function createTestSessionToken(domain: string, change: Record<string, unknown> = {}, secret = SECRET): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `https://${domain}/admin`,
    dest: `https://${domain}`,
    aud: API_KEY,
    sub: '42',
    exp: now + 60,
    nbf: now - 1,
    iat: now - 1,
    jti: 'one',
    sid: 'two',
    ...change,
  };
  const parted = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = parted.join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Returns what `callApi` returns for a request that the API refuses. */
export function refusal(status: number, error: object) {
  return { status, body: { error } };
}

/** Calls the API as a merchant. A body that is not text is sent as JSON. */
export async function callApi<Body = Record<string, unknown>>(
  url: string,
  { domain }: Pick<Shop, 'domain'>,
  [method, path]: [method: string, path: string],
  body?: unknown,
): Promise<{ status: number; headers: Headers; text: string; body: Body }> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${createTestSessionToken(domain)}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status, headers } = answer;
  const text = await answer.text();
  const isJson = headers.get('Content-Type')?.includes('json') ?? false;
  return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as Body };
}

/** Returns the headers of a signed webhook. A header with the value `undefined` is omitted. */
export function createWebhookHeaders(
  body: string | Buffer,
  { topic = 'orders/paid', shop, ...more }: { topic?: string; shop: string } & Record<string, string | undefined>,
): Record<string, string> {
  const headers: Record<string, string | undefined> = {
    'Content-Type': 'application/json',
    'X-Shopify-Hmac-Sha256': signBody(body),
    'X-Shopify-Topic': topic,
    'X-Shopify-Shop-Domain': shop,
    'X-Shopify-API-Version': '2026-10',
    'X-Shopify-Webhook-Id': randomUUID(),
    'X-Shopify-Event-Id': randomUUID(),
    'X-Shopify-Triggered-At': new Date().toISOString(),
    ...more,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function post(url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers });
}

export function readDeliveriesOfShop(db: DataSource, shop: Pick<Shop, 'id'>): Promise<Delivery[]> {
  return db.getRepository(Deliveries).find({ where: { shopId: shop.id }, order: { id: 'asc' } });
}

/** Returns the payloads of a task's waiting jobs. */
export async function readJobPayloads(db: DataSource, task: string): Promise<Record<string, unknown>[]> {
  const rows: { payload: Record<string, unknown> }[] = await db.query(
    `select payload from graphile_worker._private_jobs join graphile_worker._private_tasks on _private_tasks.id = task_id
     where identifier = $1 order by _private_jobs.id`,
    [task],
  );
  return rows.map(({ payload }) => payload);
}

/** Makes the queue refuse jobs until the end of the test. */
export async function refuseJobs(db: DataSource): Promise<void> {
  await db.query('alter table graphile_worker._private_jobs add constraint no_jobs check (false) not valid');
  onTestFinished(
    async () => void (await db.query('alter table graphile_worker._private_jobs drop constraint no_jobs')),
  );
}

/** Makes a database unavailable (`false`) by cutting its connections and refusing new ones, or makes it available again. */
export async function allowConnections(databaseUrl: string, allowed: boolean): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await client.query(`alter database ${name} with allow_connections ${allowed}`);
    if (!allowed)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  } finally {
    await client.end();
  }
}
