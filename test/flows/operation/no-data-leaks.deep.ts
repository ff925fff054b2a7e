import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { decryptColumn } from '../../../src/database/encrypt-column.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { changeSettings, readAlertSlackUrl } from '../../../src/shops/settings/settings.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { startTraceReceiver, type TraceReceiver } from '../../tracing/trace-receiver.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { createTestSessionToken, createWebhookHeaders } from '../../http/test-app.ts';
import { decryptPersonalData } from '../../orders/privacy/add-customer-order.ts';
import { act } from '../changes/manual-actions.ts';
import { injectFaults } from '../submit/submit-helpers.ts';
import {
  CHAT_ADDRESS,
  CHAT_PATH,
  mailVariables,
  PERSON,
  PERSONAL,
  RECIPIENTS,
  sendMarkedAlerts,
  SMTP_PASSWORD,
} from './marked-data.ts';
import { eventually } from '../../helpers/eventually.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 'marked-encryption-key').toString('base64');
const METRICS_TOKEN = 'marked-metrics-token';
const HEADER = 'X-Marked: marked-header-value';
const TRACE_TOKEN = 'marked-trace-token';
/** The columns that may repeat a buyer's data, as docs/operators/privacy.md lists them. Encrypted columns show nothing. */
const ALLOWED = new Set(['holds.message', 'step_waits.words', 'service_comments.comment', 'deliveries.body']);

let home: string;
let platen: Platen;
let receiver: TraceReceiver;
let mailPort: number;
/** Secrets of the installation and the shop, by name. */
const secrets: Record<string, string> = {};
/** The responses and the traces of Platen, each with a description. */
const outputs: [what: string, text: string][] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-marked-'));
  receiver = await startTraceReceiver();
  [mailPort = 0] = await findFreePorts(1);
  const environment = {
    ...mailVariables(mailPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TRACE_TOKEN}`,
    LOG_LEVEL: 'trace',
    ENCRYPTION_KEY,
    METRICS_TOKEN,
    POLL_SECONDS: '3600',
  };
  platen = await startPlaten({ environment, logFile: join(home, 'log'), settings: { delayMinutes: 0 } });
  await copyJobs(platen.app);
  const { app, shop } = platen;
  await changeSettings(app, shop, {
    printWebhookHeader: HEADER,
    alertSlackUrl: CHAT_ADDRESS,
    alertEmails: RECIPIENTS,
  });
  const address = await createPrintWebhookAddress(app, shop);
  const [{ token }]: [{ token: string }] = await app.db.query(
    'select access_token_encrypted as token from shop_tokens where shop_id = $1',
    [shop.id],
  );
  Object.assign(secrets, {
    'the print key': 'sandbox-key',
    'the client secret': app.config.shopify.apiSecret,
    'the encryption key': ENCRYPTION_KEY,
    'the metrics token': METRICS_TOKEN,
    'the secret header': 'marked-header-value',
    'the password of the mail server': SMTP_PASSWORD,
    'the header for traces': TRACE_TOKEN,
    'the address of the chat': CHAT_PATH,
    'the token of the event address': new URL(address).pathname.split('/').at(-1),
    'the access token': decryptColumn(app.config.encryptionKeys, `shop_tokens.access_token:${shop.id}`, token),
    'a session token': createTestSessionToken(shop.domain).split('.')[1],
  });
}, 120_000);
afterAll(async () => {
  await platen?.stop();
  await receiver?.close();
  rmSync(home, { recursive: true, force: true });
});

/** Keeps a copy of each job with its errors, because the queue deletes finished jobs. */
async function copyJobs({ db }: App): Promise<void> {
  await db.query('create table kept_jobs (payload text, last_error text)');
  await db.query(`create function keep_job() returns trigger language plpgsql as
    $$ begin insert into kept_jobs values (new.payload::text, new.last_error); return new; end $$`);
  await db.query(`create trigger keep_job after insert or update on graphile_worker._private_jobs
    for each row execute function keep_job()`);
}

const place = (more: Record<string, unknown> = {}, sku = 'POSTER-30X40'): Promise<PlacedOrder> =>
  platen.placeSkus({ [sku]: 1 }, { ...PERSON, ...more });
const inStore = ({ id }: PlacedOrder, what: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(id)}/${what}`, body);
const toDigits = ({ id }: PlacedOrder): string => id.split('/').at(-1) ?? '';

/** Calls the API as the merchant, and keeps the response if it is an error or about alerts. */
async function call(method: string, path: string, body?: object): Promise<number> {
  const headers = { Authorization: `Bearer ${createTestSessionToken(platen.shop.domain)}` };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${platen.url}${path}`, { method, headers, ...init });
  const text = await answer.text();
  if (answer.status >= 400 || path.startsWith('/api/alerts'))
    outputs.push([`${answer.status} ${method} ${path}`, text]);
  return answer.status;
}

async function placeOrders() {
  const tracked = await place();
  await platen.untilState(tracked.id, 'fulfilled');
  const held = await place({ shippingAddress: { ...PERSON.shippingAddress, lastName: 'Quillfeather'.repeat(20) } });
  await platen.untilState(held.id, 'held');
  const edited = await place({}, 'MUG-11OZ');
  await platen.untilState(edited.id, 'fulfilled');
  await inStore(edited, 'edit', { add: [{ variantId: edited.lines[0]?.variantId, quantity: 1 }] });
  const refused = await withFaults(
    [{ method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 400 }],
    async () => {
      const order = await place();
      await platen.untilState(order.id, 'held');
      return order;
    },
  );
  const canceled = await place({ financialStatus: 'pending' });
  await inStore(canceled, 'cancel');
  await untilIdle(platen.app);
  return { tracked, held, edited, refused, canceled };
}

async function withFaults<Result>(faults: object[], run: () => Promise<Result>, of: 'print' | 'store' = 'print') {
  await injectFaults(platen, faults, of);
  try {
    return await run();
  } finally {
    await injectFaults(platen, [], of);
  }
}

/** Whether an order has not been sent yet and shows the reason. */
async function isWaiting({ id }: PlacedOrder): Promise<boolean> {
  return platen.listed(id).then(
    ({ waits }) => waits.length > 0,
    () => false,
  );
}

async function hasFailedJob(words: string): Promise<boolean> {
  const rows: object[] = await platen.app.db.query('select from kept_jobs where strpos(last_error, $1) > 0', [words]);
  return rows.length > 0;
}

/** Makes both services and two database tables fail while orders arrive. */
async function placeDuringFailures(): Promise<PlacedOrder[]> {
  const { app } = platen;
  const orders: PlacedOrder[] = [];
  for (const kind of ['reset', 'truncate', 'timeout', 'status'])
    orders.push(
      await withFaults([{ rate: 1, kind, status: 500 }], async () => {
        const order = await place();
        await eventually(() => isWaiting(order)).toBe(true);
        return order;
      }),
    );
  await withFaults(
    [{ rate: 0.5, kind: 'status', status: 502 }],
    async () => {
      orders.push(await place());
      await platen.untilState(orders.at(-1)?.id ?? '', 'fulfilled').catch(() => undefined);
    },
    'store',
  );
  // PostgreSQL's error about a rejected row contains the values of the row.
  for (const table of ['holds', 'timeline_entries']) {
    await app.db.query(`alter table ${table} add constraint refuses check (false) not valid`);
    orders.push(await place({ shippingAddress: { ...PERSON.shippingAddress, lastName: 'Quillfeather'.repeat(20) } }));
    await eventually(() => hasFailedJob(`"${table}" violates check constraint`)).toBe(true);
    await app.db.query(`alter table ${table} drop constraint refuses`);
  }
  return orders;
}

async function sendOddRequests(order: PlacedOrder): Promise<void> {
  const { url, shop } = platen;
  const body = JSON.stringify({ email: PERSON.email, shipping_address: PERSON.shippingAddress, id: [] });
  for (const sent of [body, body.slice(0, -3)])
    for (const path of ['/webhooks/shopify', '/flow/hold', '/fulfillment/fulfillment_order_notification']) {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        body: sent,
        headers: createWebhookHeaders(sent, { shop: shop.domain }),
      });
      outputs.push([`${answer.status} ${path}`, await answer.text()]);
    }
  const address = { firstName: 'Quillfeather', country: 'Moorhen' };
  await call('PUT', `/api/orders/${toDigits(order)}/address`, address).catch(() => undefined);
  await call('POST', '/api/settings/preview', { country: 'Quillfeather', items: [] }).catch(() => undefined);
  for (const path of ['/metrics', '/readyz']) {
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    outputs.push([path, await answer.text()]);
  }
}

async function requestPrivacy({ tracked, held }: Record<'tracked' | 'held', PlacedOrder>): Promise<void> {
  const { shop } = platen;
  const customer = { id: 191167, email: PERSON.email, phone: PERSON.phone };
  const about = { shop_id: 1, shop_domain: shop.domain, customer };
  const send = (topic: string, more: object) =>
    platen.control('store', 'POST', '/webhooks/send', { topic, shop: shop.domain, body: { ...about, ...more } });
  await send('customers/data_request', { orders_requested: [toDigits(tracked)], data_request: { id: 1 } });
  await send('customers/redact', { orders_to_redact: [toDigits(held)] });
  await untilIdle(platen.app);
  const [request] = await platen.app.db.query(`select id from privacy_requests where kind = 'data_request'`);
  expect(await call('GET', `/api/privacy-requests/${request.id}/export`)).toBe(200);
}

const readLog = (): string => readFileSync(join(home, 'log'), 'utf8');

/** Returns the values of each column, such as `holds.message`, as JSON. */
async function readTables(): Promise<Map<string, string[]>> {
  const { db } = platen.app;
  const tables: { name: string }[] = await db.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const values = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows: { row: Record<string, unknown> }[] = await db.query(`select to_jsonb(t) as row from ${name} t`);
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) {
        const place = `${name.replace('public.', '')}.${column}`;
        const texts = values.get(place) ?? [];
        values.set(place, texts);
        texts.push(JSON.stringify(value) ?? '');
      }
  }
  return values;
}

test(
  'after orders, holds, changes, outages, alerts and privacy requests, no log, job, table, trace or response contains a buyer’s data or a secret',
  { timeout: 600_000 },
  async () => {
    const { app } = platen;
    const placed = await placeOrders();
    await act(platen, placed.refused, 'retry');
    await act(platen, placed.edited, 'cancel').catch(() => undefined);
    await sendOddRequests(placed.held);
    expect(readAlertSlackUrl(app, await findShop(app, platen.shop.id))).toBe(CHAT_ADDRESS);
    await sendMarkedAlerts(platen, mailPort, () => call('POST', '/api/alerts/test'));
    await call('GET', '/api/alerts');
    for (const problem of ['mail_login_refused', 'mail_recipient_refused', 'chat_'])
      expect(readLog()).toContain(`"problem":"${problem}`);
    receiver.answer(400);
    await placeDuringFailures();
    await eventually(readLog).toContain('traces cannot be exported');
    receiver.answer(200);
    await requestPrivacy(placed);
    await eventually(readLog).toContain('traces are exported again');
    for (const span of receiver.sent())
      outputs.push([
        'a span',
        JSON.stringify(span, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
      ]);
    expect(receiver.sent().length).toBeGreaterThan(100);
    expect(receiver.requests[0]?.headers.authorization).toBe(`Bearer ${TRACE_TOKEN}`);

    // The run processed the buyers' data, and the jobs and their errors were kept.
    expect(JSON.stringify(await decryptPersonalData(app))).toMatch(PERSONAL);
    const [{ jobs, failed }] = await app.db.query(
      'select count(*)::int as jobs, count(last_error)::int as failed from kept_jobs',
    );
    expect(Math.min(jobs / 20, failed)).toBeGreaterThan(1);
    const tables = await readTables();
    const lines = readLog().split('\n');
    /** Finds the columns, lines of the log and outputs with a matching text. */
    const find = (matches: (text: string) => boolean) => ({
      columns: [...tables].flatMap(([place, texts]) => (texts.some(matches) ? [place] : [])),
      lines: lines.filter(matches),
      outputs: outputs.filter(([, text]) => matches(text)),
    });
    const nowhere = { columns: [], lines: [], outputs: [] };
    // The searches do find data that is present.
    expect(find((text) => text.includes(placed.tracked.id)).columns.length).toBeGreaterThan(2);
    expect(lines.length).toBeGreaterThan(100);

    const { columns, ...others } = find((text) => PERSONAL.test(text));
    expect({ columns: columns.filter((place) => !ALLOWED.has(place)), ...others }).toEqual(nowhere);
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length, what).toBeGreaterThan(8);
      expect(
        find((text) => text.includes(secret)),
        what,
      ).toEqual(nowhere);
    }
    for (const recipient of RECIPIENTS)
      expect(find((text) => text.includes(recipient))).toEqual({ ...nowhere, columns: ['shops.settings'] });
    expect(
      readdirSync(app.config.home)
        .filter((name) => name === 'spool')
        .flatMap((name) => readdirSync(join(app.config.home, name))),
    ).toEqual([]);
  },
);
