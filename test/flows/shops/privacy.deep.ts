import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsNull } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrivacyRequests } from '../../../src/database/entities/privacy-requests.ts';
import { type Shop } from '../../../src/database/entities/shops.ts';
import { checkPrivacyRequests } from '../../../src/orders/privacy/check-privacy-requests.ts';
import type { PersonalDataExport } from '../../../src/orders/privacy/export-personal-data.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { openOtherShop } from '../../helpers/open-other-shop.ts';
import { startPlaten, type Platen, type PlacedOrder, type PrintedOrder } from '../../helpers/platen.ts';
import { createTestSessionToken } from '../../http/test-app.ts';
import { dumpTables, decryptPersonalData } from '../../orders/privacy/add-customer-order.ts';
import {
  runSubmitJobsNow,
  injectFaults,
  requestReplan,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

/** Matches the test person's data, which must not remain anywhere after the erasure. */
const CANARY = /canari|2015550177|77 Zyxwv|Zyxwville|zyxwv/i;
const PERSON = {
  email: 'canari.zyxwv@person.example',
  phone: '+12015550177',
  note: 'Ring at Canari',
  noteAttributes: { gift: 'for Canari' },
  shippingAddress: {
    firstName: 'Canari',
    lastName: 'Zyxwvsson',
    company: 'Canari Zyxwv Ltd',
    address1: '77 Zyxwv   Street',
    address2: 'c/o Canari',
    city: 'Zyxwville',
    zip: '11203',
    provinceCode: 'NY',
    countryCode: 'US',
    phone: '+12015550177',
  },
};
const DAY_MS = 86_400_000;
const QUOTE_FAILS = { method: 'POST', path: '/v4/orders:quote', rate: 1, kind: 'status', status: 500 };
const SEARCH_FAILS = { method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 };
const CONFIRM_FAILS = { method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 500, effect: 'none' };
const CREATE_REFUSED = { method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 400, times: 1 };

let home: string;
let logFile: string;
let platen: Platen;
let other: Shop;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-privacy-'));
  logFile = join(home, 'platen.log');
  platen = await startPlaten({ advanceSeconds: null, environment: { LOG_LEVEL: 'trace' }, logFile });
  other = await openOtherShop(platen);
});
afterAll(async () => {
  await platen.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Variant {
  sku: string;
  variantId: string;
}

/** Places an order for the test person in a shop. */
async function place(of: Shop = platen.shop, more: Record<string, unknown> = {}): Promise<PlacedOrder> {
  const variants = (await platen.control('store', 'GET', `/variants?shop=${of.domain}`)) as Variant[];
  const variantId = variants.find(({ sku }) => sku === 'POSTER-30X40')?.variantId;
  const lines = [{ variantId, quantity: 1, properties: { engraving: 'Canari' } }];
  return platen.placeOrder({ shop: of.domain, lines, ...PERSON, ...more });
}

async function untilPrinting(order: PlacedOrder): Promise<void> {
  await untilPrintOrder(platen, order, ({ state }) => state === 'submitted');
}

/** Returns the print service's orders for a storefront order of a shop. Both shops number their orders from #1001. */
async function printedOf({ name }: PlacedOrder, shop: Shop = platen.shop): Promise<PrintedOrder[]> {
  const printed = await platen.printedFor(name);
  return printed.filter(({ metadata }) => metadata.some(({ value }) => value === shop.domain));
}

async function advance(order: PlacedOrder, to: string, shop: Shop = platen.shop): Promise<void> {
  const printed = await printedOf(order, shop);
  expect(printed).toHaveLength(1);
  for (const { id } of printed) await platen.control('print', 'POST', `/orders/${id}/advance`, { to });
}

async function untilOrderState(order: PlacedOrder, state: string): Promise<void> {
  await untilPrintOrder(platen, order, (printOrder) => printOrder.state === state);
}

/** Places one of the test person's orders in each state. */
async function placeInEveryState() {
  const made = {
    submitted: await place(),
    inProduction: await place(),
    shipped: await place(),
    fulfilled: await place(),
    canceledLater: await place(),
  };
  for (const order of Object.values(made)) await untilPrinting(order);
  await advance(made.inProduction, 'in_production');
  await untilOrderState(made.inProduction, 'in_production');
  await advance(made.fulfilled, 'shipped');
  await untilOrderState(made.fulfilled, 'fulfilled');
  // This order's fulfillment has not yet been created when the person is erased.
  await injectFaults(platen, [{ operation: 'CreateFulfillment', rate: 1, kind: 'status', status: 429 }], 'store');
  await advance(made.shipped, 'shipped');
  await untilOrderState(made.shipped, 'shipped');
  const canceled = await place();
  await untilPrinting(canceled);
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(canceled.id)}/cancel`, {});
  await untilOrderState(canceled, 'canceled');
  await injectFaults(platen, [CONFIRM_FAILS]);
  const confirming = await place();
  await untilPrintOrder(platen, confirming, ({ confirmStartedAt }) => confirmStartedAt !== null);
  await injectFaults(platen, [CONFIRM_FAILS, CREATE_REFUSED]);
  const refused = await place();
  await untilOrderState(refused, 'held');
  await injectFaults(platen, [CONFIRM_FAILS, SEARCH_FAILS]);
  const quoted = await place();
  await untilOrderState(quoted, 'quoted');
  await injectFaults(platen, [CONFIRM_FAILS, SEARCH_FAILS, QUOTE_FAILS]);
  const planned = await place();
  await untilOrderState(planned, 'planned');
  const unpaid = await place(platen.shop, { financialStatus: 'pending' });
  await eventually(() => platen.timeline(unpaid.id)).toContain('waiting');
  return { ...made, canceled, confirming, refused, quoted, planned, unpaid };
}

async function send(topic: string, more: Record<string, unknown> = {}, shop: Shop = platen.shop): Promise<void> {
  const body = { shop_id: 1, shop_domain: shop.domain, ...more };
  await platen.control('store', 'POST', '/webhooks/send', { topic, shop: shop.domain, body });
}

const idsOf = (orders: PlacedOrder[]): string[] => orders.map(({ id }) => id.slice(id.lastIndexOf('/') + 1));
const customer = { id: 191167, email: PERSON.email, phone: PERSON.phone };
const openRequests = () => platen.app.db.manager.countBy(PrivacyRequests, { doneAt: IsNull() });

function readFiles(): string {
  const spool = join(platen.app.config.home, 'spool');
  mkdirSync(spool, { recursive: true });
  const spooled = readdirSync(spool).map((name) => readFileSync(join(spool, name), 'utf8'));
  const decoded = spooled
    .join('')
    .replaceAll(/"rawBody":"([^"]+)"/g, (_, raw: string) => Buffer.from(raw, 'base64').toString());
  return readFileSync(logFile, 'utf8') + decoded;
}

/** Returns all places that still contain the person's data: rows of tables, files and encrypted data of a shop. */
async function findPerson(shop: Shop): Promise<string[]> {
  const lines = `${await dumpTables(platen.app)}\n${readFiles()}`.split('\n').filter((line) => CANARY.test(line));
  const sealed = (await decryptPersonalData(platen.app, shop)).map((one) => JSON.stringify(one));
  return [...lines, ...sealed.filter((one) => CANARY.test(one))];
}

async function exportOf(shop: Shop, id: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
  return fetch(`${platen.url}/api/privacy-requests/${id}/export`, { headers });
}

/** Writes a spool file like one left by a dead process, with an event whose comment names the person. */
async function spoolEvent(reference: string): Promise<string> {
  const address = await createPrintWebhookAddress(platen.app, platen.shop);
  const token = address.slice(address.lastIndexOf('/') + 1);
  const event = {
    id: 'spooled',
    event: 'order_status_updated',
    orderId: 'unknown',
    orderReferenceId: reference,
    fulfillmentStatus: 'created',
    comment: 'for Canari',
  };
  const line = {
    tokenHash: createHash('sha256').update(token).digest('hex'),
    headerProofs: [],
    receivedAt: platen.app.clock.now(),
    rawBody: Buffer.from(JSON.stringify(event)).toString('base64'),
  };
  const spool = join(platen.app.config.home, 'spool');
  mkdirSync(spool, { recursive: true });
  const host = hostname().replaceAll(/[^\w-]/g, '-');
  const file = join(spool, `${host}.4194303.0123456789ab.1.jsonl`);
  writeFileSync(file, `\n${JSON.stringify(line)}\n`);
  return file;
}

let placed: Awaited<ReturnType<typeof placeInEveryState>>;
let theirs: PlacedOrder[];

test('the export for a data request contains all of the person’s data in that shop and no data from other shops', async () => {
  theirs = [await place(other), await place(other)];
  for (const order of theirs) await untilPrinting(order);
  placed = await placeInEveryState();
  // None of the person's data is stored unencrypted.
  expect(await findPerson({ ...platen.shop, id: 0 })).toEqual([]);
  await send('customers/data_request', {
    customer,
    orders_requested: idsOf(Object.values(placed)).map(Number),
    data_request: { id: 9999 },
  });
  await eventually(openRequests).toBe(1);
  const [request] = await platen.app.db.manager.find(PrivacyRequests);
  expect((await exportOf(other, request?.id ?? '')).status).toBe(404);
  const exported = (await (await exportOf(platen.shop, request?.id ?? '')).json()) as PersonalDataExport;
  const printOrders = exported.orders.flatMap((order) => order.printOrders);
  const found = printOrders.flatMap(({ recipient, body }) => [recipient, body]).filter((one) => one !== null);
  const sort = (all: unknown[]) => all.map((one) => JSON.stringify(one)).toSorted();
  expect(found.length).toBeGreaterThan(10);
  expect(sort(found)).toEqual(sort(await decryptPersonalData(platen.app, platen.shop)));
  expect(exported.orders).toHaveLength(Object.values(placed).length);
  expect(await openRequests()).toBe(0);
});

test('a customer erased in one shop leaves no data there, regardless of the state of their orders', async () => {
  const before = await decryptPersonalData(platen.app, other);
  expect(before.length).toBe(4);
  const orders = Object.values(placed);
  const [printed] = await printedOf(placed.submitted);
  const comment = { to: 'on_hold', comment: 'Canari has moved' };
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, comment);
  await eventually(() => findPerson({ ...platen.shop, id: 0 })).not.toEqual([]);
  await untilNoDueJobs(platen, placed.submitted);
  await send('customers/redact', { customer, orders_to_redact: idsOf(orders) });
  // The erasure waits for an unfinished confirm request.
  const isErased = async ({ id }: PlacedOrder) =>
    (await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id })).erasedAt !== null;
  await eventually(async () => (await Promise.all(orders.map(isErased))).filter(Boolean).length).toBe(
    orders.length - 1,
  );
  expect(await isErased(placed.confirming)).toBe(false);
  expect(await decryptPersonalData(platen.app, platen.shop)).toHaveLength(2);
  expect(await openRequests()).toBe(1);

  await injectFaults(platen, []);
  await injectFaults(platen, [], 'store');
  await eventually(openRequests).toBe(0);
  expect(await findPerson(platen.shop)).toEqual([]);
  expect(await decryptPersonalData(platen.app, other)).toEqual(before);
  expect((await printedOf(placed.confirming))[0]?.fulfillmentStatus).toBe('created');
  const request = await platen.app.db.manager.findOneByOrFail(PrivacyRequests, { kind: 'customer_redact' });
  expect(request.heldByPrintService.map(({ name }) => name).toSorted()).toEqual(
    [
      placed.submitted,
      placed.inProduction,
      placed.shipped,
      placed.fulfilled,
      placed.canceledLater,
      placed.canceled,
      placed.confirming,
    ]
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('after an erasure, unsent orders stay unsent, sent orders are fulfilled, and none of the person’s data returns', async () => {
  const unsent = [placed.planned, placed.quoted, placed.refused, placed.unpaid];
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(placed.unpaid.id)}/pay`, {});
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(placed.canceledLater.id)}/cancel`, {});
  for (const order of unsent) await requestReplan(platen, order);
  await platen.app.jobs.enqueue(platen.app.db, 'resume_shop', { shopId: platen.shop.id });
  const spooled = await spoolEvent((await printOrdersOf(platen, placed.shipped))[0]?.reference ?? '');
  for (const order of [placed.submitted, placed.inProduction, placed.confirming]) await advance(order, 'shipped');
  for (const order of theirs) await advance(order, 'shipped', other);
  const sent = [placed.submitted, placed.inProduction, placed.shipped, placed.confirming, ...theirs];
  const isOpen = async (order: PlacedOrder) => (await platen.storeOrder(order.id)).fulfillments.length === 0;
  const listOpen = async () => {
    const open = await Promise.all(sent.map(async (order) => ((await isOpen(order)) ? [order] : [])));
    return Promise.all(open.flat().map(async ({ id, name }) => `${name} ${(await platen.timeline(id)).join(' ')}`));
  };
  await eventually(listOpen).toEqual([]);
  for (const order of sent.slice(0, 4)) await platen.untilState(order.id, 'fulfilled');
  await platen.untilState(placed.canceledLater.id, 'canceled');
  await eventually(async () =>
    (await printedOf(placed.canceledLater)).map(({ fulfillmentStatus }) => fulfillmentStatus),
  ).toEqual(['canceled']);

  // Requests that failed while the service was down are retried only after the circuit breaker's pause.
  const isClosed = async (order: PlacedOrder) =>
    (await printOrdersOf(platen, order)).every(({ fencedAt }) => fencedAt !== null);
  for (const order of unsent) {
    await runSubmitJobsNow(platen, order);
    await eventually(() => isClosed(order)).toBe(true);
    await untilNoDueJobs(platen, order);
    expect(await printedOf(order), order.name).toEqual([]);
    expect((await platen.listed(order.id)).state, order.name).toBe('nothing_to_do');
  }
  await eventually(() => readdirSync(join(spooled, '..'))).toEqual([]);
  const isHandled = async () =>
    (await platen.app.db.manager.findOneByOrFail(Deliveries, { eventId: 'spooled' })).handledAt !== null;
  await eventually(isHandled).toBe(true);
  expect(await findPerson(platen.shop)).toEqual([]);
  expect((await decryptPersonalData(platen.app, other)).length).toBe(4);

  await platen.pass(31 * DAY_MS);
  expect(await checkPrivacyRequests(platen.app)).toBe(0);
});
