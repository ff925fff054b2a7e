import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders, SubmitAttempts } from '../../../src/database/entities/print-orders.ts';
import { StepWaits } from '../../../src/database/entities/step-waits.ts';
import { followPrintOrder } from '../../../src/orders/follow/follow-print-order.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from './buy-planned.ts';
import { printTwoLines, shipAtService, type Json } from '../follow/at-service.ts';

/** The parts of a response that a test changes. */
interface Shown extends Json {
  items: [Json, Json];
  shipment: { packages: Json[] };
}

const CODES = [{ code: 'CODE-1', skus: ['POSTER-13X18', 'MUG-11OZ'] }];
const HUGE = 'x\0'.repeat(51_200);

/** Changes the print service's response to Order Get. */
let change: (order: Shown) => void = () => undefined;
/** Changes the records of the print service's response to a search. */
let changeRecords: (records: Json[]) => void = () => undefined;
/** Changes the data of the store's responses. */
let changeStore: (data: Json) => void = () => undefined;
let shop: TestShop;
const servers: ReturnType<typeof createServer>[] = [];
beforeAll(async () => {
  const between = (url: string) =>
    startProxy(url, (method, body) => {
      if (method === 'GET') change(body as Shown);
      else if (Array.isArray(body['orders'])) changeRecords(body['orders'] as Json[]);
    });
  const betweenStore = (url: string) =>
    startProxy(url, (_, { data }) => {
      if (data) changeStore(data as Json);
    });
  shop = await openTestShop({ between, betweenStore });
  await shop.set({ extendedCalls: true });
});
afterAll(async () => {
  await shop.close();
  for (const server of servers) server.close();
});

/** Starts a server that passes requests on, and changes the successful responses. */
async function startProxy(target: string, changeBody: (method: string, body: Json) => void): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '' } = incoming;
      const headers = new Headers({ 'content-type': 'application/json' });
      for (const name of ['x-api-key', 'x-shopify-access-token']) {
        const value = incoming.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const sent = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const answer = await fetch(`${target}${url}`, { method, headers, ...sent });
      const body = (await answer.json()) as Json;
      if (answer.ok) changeBody(method, body);
      outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function placeShipped() {
  change = () => undefined;
  const order = await printTwoLines(shop);
  await shipAtService(shop, order, CODES);
  return order.printOrder.id;
}

const holdsOf = (printOrderId: string) =>
  shop.app.db.manager.find(Holds, { where: { printOrderId }, order: { id: 'ASC' } });

test.each<[string, string, (order: Shown) => void]>([
  ['a quantity that no column can store', 'quantity', ({ items }) => void (items[0]['quantity'] = 1e308)],
  ['a text in place of the items', 'items', (order) => void Object.assign(order, { items: 'two' })],
  [
    'a tracking code of 100 KB with NULs',
    'trackingCode',
    ({ shipment }) => void Object.assign(shipment.packages[0] ?? {}, { trackingCode: HUGE }),
  ],
  ['no ID', 'id', (order) => void delete order['id']],
])(
  'an order for which the service keeps sending %s is held with the field %s, and continues after a correct response',
  async (_, field, toWrong) => {
    const printOrderId = await placeShipped();
    change = toWrong;
    await expectHeldUntilReadable(printOrderId, field);
  },
);

test.each<[string, string, Json]>([
  ['an object in place of its status', 'fulfillmentStatus', { fulfillmentStatus: { is: 1 } }],
])(
  'an order is not sent while the search that precedes it shows a record with %s, and is sent once after a correct response',
  async (_, field, wrong) => {
    const { storefrontOrder, printOrder } = await buyPlanned(shop);
    await toTasks(shop.app).quote_order({ storefrontOrderId: storefrontOrder.id });
    const { id: printOrderId, reference: orderReferenceId } = printOrder;
    const record = { id: 'unclear', orderReferenceId, orderType: 'order', fulfillmentStatus: 'created', ...wrong };
    changeRecords = (records) => void records.push(record);
    for (let tries = 1; tries <= 5; tries += 1) {
      await toTasks(shop.app).submit_print_order({ printOrderId });
      const [wait] = await shop.app.db.manager.findBy(StepWaits, { printOrderId });
      expect(wait).toMatchObject({ step: 'submit', why: expect.stringContaining(field) });
      shop.later(300);
    }
    expect(await holdsOf(printOrderId)).toMatchObject([{ code: 'step_failing', field, resolvedAt: null }]);
    expect(await shop.app.db.manager.countBy(SubmitAttempts, { printOrderId })).toBe(0);
    changeRecords = () => undefined;
    await toTasks(shop.app).submit_print_order({ printOrderId });
    expect(await holdsOf(printOrderId)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
    expect(await shop.app.db.manager.countBy(SubmitAttempts, { printOrderId })).toBe(1);
    expect(await readState(printOrderId)).toBe('submitted');
    shop.resetClock();
  },
);

/** Follows the order until it is held, and then with correct responses. */
async function expectHeldUntilReadable(printOrderId: string, field: string) {
  for (let tries = 1; tries <= 6; tries += 1) {
    await followPrintOrder(shop.app, { printOrderId });
    const [wait] = await shop.app.db.manager.findBy(StepWaits, { printOrderId });
    expect(wait).toMatchObject({ step: 'follow', why: expect.stringContaining(field) });
    expect(await holdsOf(printOrderId)).toHaveLength(tries < 5 ? 0 : 1);
    shop.later(300);
  }
  expect(await holdsOf(printOrderId)).toMatchObject([{ code: 'step_failing', field, resolvedAt: null }]);
  change = () => undefined;
  changeRecords = () => undefined;
  await followPrintOrder(shop.app, { printOrderId });
  expect(await holdsOf(printOrderId)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  expect(await readState(printOrderId)).toBe('shipped');
  shop.resetClock();
}

const readState = async (id: string) => (await shop.app.db.manager.findOneByOrFail(PrintOrders, { id })).state;

/** Random characters of four bytes each, which PostgreSQL cannot compress. */
const longText = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(randomInt(0x10000, 0x1fffe))).join('');

test('the longest texts and the largest numbers that are read can be stored', async () => {
  const printOrderId = await placeShipped();
  change = (order) => {
    const [item] = order.items;
    item['quantity'] = 2 ** 31 - 1;
    order.items.push({ ...item, id: longText(300), fulfillmentStatus: 'failed' });
    const [box] = order.shipment.packages;
    const named = { shipmentMethodUid: longText(10_000), shipmentMethodName: longText(10_000) };
    Object.assign(order.shipment, named, { totalWeight: 1e12 });
    order.shipment.packages.push({ ...box, trackingCode: longText(400), trackingUrl: `https://x.test/${HUGE}` });
    const receipt = { id: longText(300), currency: 'USD', total: 1e308, items: [{ amount: 1e308, price: '1e308' }] };
    Object.assign(order, { connectedOrderIds: [longText(300)], receipts: [receipt, { ...receipt, id: HUGE }] });
  };
  await followPrintOrder(shop.app, { printOrderId });
  expect(await shop.app.db.manager.findBy(StepWaits, { printOrderId })).toEqual([]);
  expect(await readState(printOrderId)).toBe('shipped');
});

/** Sets the first value with this name in a response, at any depth. Returns whether there is one. */
function setFirst(data: unknown, name: string, value: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const object = data as Json;
  if (name in object) object[name] = value;
  return name in object || Object.values(object).some((inner) => setFirst(inner, name, value));
}

test.each<[string, string, unknown]>([
  ['a quantity that no column can store', 'currentQuantity', 1e308],
  ['a SKU that no index can contain', 'sku', longText(3_000)],
])(
  'an order for which the store keeps sending %s waits, is held with the field %s, and continues afterward',
  async (_, field, value) => {
    const { id: shopifyOrderId } = await shop.buy({ 'POSTER-13X18': 2 });
    changeStore = (data) => void setFirst(data, field, value);
    const row = { shopId: shop.shop.id, shopifyOrderId, name: '#1', placedAt: new Date() };
    const { id: storefrontOrderId } = await shop.app.db.manager.save(StorefrontOrders, row);
    const plan = () => toTasks(shop.app).plan_order({ storefrontOrderId });
    for (let tries = 1; tries <= 5; tries += 1) {
      await plan();
      shop.later(300);
    }
    const holds = () => shop.app.db.manager.findBy(Holds, { storefrontOrderId });
    expect(await holds()).toMatchObject([{ code: 'step_failing', field, message: expect.stringContaining(field) }]);
    changeStore = () => undefined;
    await plan();
    expect(await holds()).toMatchObject([{ resolvedAt: expect.any(Date) }]);
    shop.resetClock();
  },
);
