import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PrintWebhookTokens, type Shop } from '../../../src/database/entities/shops.ts';
import { listen, type Endpoints } from '../../../src/http/server.ts';
import { receivePrintDelivery } from '../../../src/inbox/receive-print-delivery.ts';
import {
  hashPrintWebhookToken,
  createPrintWebhookAddress,
} from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import {
  addShop,
  allowConnections,
  openTestApp,
  openTestEndpoints,
  post,
  readDeliveriesOfShop,
  readJobPayloads,
  type OpenTestApp,
  type TestEndpoints,
} from '../test-app.ts';

const LIMIT = 256 * 1024;
const EVENT = JSON.stringify({
  id: 'os_1',
  event: 'order_status_updated',
  orderId: 'a6a1f9ce-2bdd-4a9e-9f8d-0009df0e24d9',
  orderReferenceId: 'plab12-1001-1-abcdefghijkl',
  storeId: null,
  fulfillmentStatus: 'passed',
  items: [],
});

let endpoints: TestEndpoints;

beforeAll(async () => void (endpoints = await openTestEndpoints({}, { replayMs: 50 })));

afterAll(() => endpoints.close());

/** Adds a shop with an address at these endpoints. */
async function addShopWithAddress(): Promise<{ shop: Shop; token: string; url: string }> {
  const shop = await addShop(endpoints.app.db);
  const token = (await createPrintWebhookAddress(endpoints.app, shop)).split('/').at(-1)!;
  return { shop, token, url: `${endpoints.url}/webhooks/print/${token}` };
}

function listSpoolFiles(): string[] {
  try {
    return readdirSync(join(endpoints.app.config.home, 'spool'));
  } catch {
    return [];
  }
}

async function expectNotFound(answer: Response): Promise<void> {
  const unknown = await post(`${endpoints.url}/no/such/path`, EVENT);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toBe(await unknown.text());
  const names = (headers: Headers) => [...headers.keys()].toSorted();
  expect(names(answer.headers)).toEqual(names(unknown.headers));
}

describe('events from the print service', () => {
  test('an event is stored once with its body and a job, and every copy gets 200', async () => {
    const { shop, url } = await addShopWithAddress();
    expect((await post(url, EVENT)).status).toBe(200);
    expect((await post(url, EVENT)).status).toBe(200);
    const kept = await readDeliveriesOfShop(endpoints.app.db, shop);
    const body: unknown = JSON.parse(EVENT);
    expect(kept).toMatchObject([
      { source: 'print', topic: 'order_status_updated', eventId: 'os_1', body, handledAt: null },
    ]);
    expect(await readJobPayloads(endpoints.app.db, 'handle_delivery')).toContainEqual({ deliveryId: kept[0]!.id });
  });

  test('an event with the same ID but a different kind or body counts as a separate event', async () => {
    const { shop, url } = await addShopWithAddress();
    const event = JSON.parse(EVENT) as Record<string, unknown>;
    const others = [
      { event: 'order_item_status_updated', itemReferenceId: 'i', status: 'passed' },
      { orderId: 'another' },
      { fulfillmentStatus: 'printed' },
    ];
    for (const change of [{}, ...others]) await post(url, JSON.stringify({ ...event, ...change }));
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(4);
  });

  test('an older-style event without an ID counts as a new event after a minute', async () => {
    const { shop } = await addShopWithAddress();
    const rawBody = Buffer.from(
      '{"object":"stockRegionAvailability","productAvailability":[{"productUid":"mug","availability":[{"stockRegionUid":"EU","status":"in-stock"}]}]}',
    );
    const token = (await createPrintWebhookAddress(endpoints.app, shop)).split('/').at(-1) ?? '';
    const receive = (receivedAt: Date) => {
      const arrival = { tokenHash: hashPrintWebhookToken(token), headerProofs: [], receivedAt, rawBody };
      return receivePrintDelivery(endpoints.app, arrival);
    };
    const at = new Date(Date.UTC(2026, 10, 22, 12, 0, 1));
    expect(await receive(at)).toMatchObject({ result: 'stored' });
    expect(await receive(new Date(at.getTime() + 5_000))).toMatchObject({ result: 'duplicate' });
    expect(await receive(new Date(at.getTime() + 120_000))).toMatchObject({ result: 'stored' });
  });

  test.each(['{}', '{"event":"order_teleported"}', '{"event":"constructor"}', '{"event":{"a":1},"id":7,"orderId":[]}'])(
    'the event %s gets 200 and is stored with the result "unknown_kind"',
    async (body) => {
      const { shop, url } = await addShopWithAddress();
      expect((await post(url, body)).status).toBe(200);
      expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toMatchObject([
        { topic: 'unknown', result: 'unknown_kind' },
      ]);
    },
  );
});

describe('bodies that are not events', () => {
  test.each([
    ['nothing', ''],
    ['text that is not JSON', 'event=order_status_updated'],
    ['a list', `[${EVENT}]`],
    ['null', 'null'],
    ['65 levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['200,000 levels', '['.repeat(200_000)],
  ])(
    'a request with %s as its body gets 400, or the same response as an unknown path if its address is unknown',
    async (_name, body) => {
      const { shop, url } = await addShopWithAddress();
      expect((await post(url, body)).status).toBe(400);
      await expectNotFound(await post(`${endpoints.url}/webhooks/print/unknown`, body));
      expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
      expect(listSpoolFiles()).toEqual([]);
    },
  );

  test('a body of 256 KiB is accepted, but one with an additional byte gets 413', async () => {
    const { shop, url } = await addShopWithAddress();
    const frame = '{"event":"x","note":""}';
    const exact = frame.replace('""', `"${'x'.repeat(LIMIT - frame.length)}"`);
    expect((await post(url, exact)).status).toBe(200);
    expect((await post(url, exact.replace('xx', 'xxx'))).status).toBe(413);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(1);
    await expectNotFound(await post(`${endpoints.url}/webhooks/print/unknown`, exact.replace('xx', 'xxx')));
  });
});

describe('addresses for print events', () => {
  test.each(['unknown', 'a'.repeat(43), '%00', '%E0%A4%A', 'a%2Fb', '..%2f..', '__proto__'])(
    'an address with the token %s gets the same response as an unknown path',
    async (token) => {
      await expectNotFound(await post(`${endpoints.url}/webhooks/print/${token}`, EVENT));
    },
  );

  test('an address with a secret header accepts only events that have this header', async () => {
    const { shop, url } = await addShopWithAddress();
    await changeSettings(endpoints.app, shop, {
      printWebhookHeader: { name: 'X-Print-Secret', value: 'open sesame 1234' },
    });
    await expectNotFound(await post(url, EVENT));
    await expectNotFound(await post(url, EVENT, { 'X-Print-Secret': 'open sesame 1235' }));
    await expectNotFound(await post(url, EVENT, { 'X-Print-Other': 'open sesame 1234' }));
    await expectNotFound(await post(url, 'no JSON', { 'X-Print-Secret': 'wrong' }));
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
    expect((await post(url, EVENT, { 'x-print-secret': 'open sesame 1234' })).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(1);
  });

  test('the log never contains an address or its secrets, whatever is sent to the address', async () => {
    const { shop, token, url } = await addShopWithAddress();
    await changeSettings(endpoints.app, shop, {
      printWebhookHeader: { name: 'X-Print-Secret', value: 'never-in-the-log' },
    });
    const headers = { 'X-Print-Secret': 'never-in-the-log' };
    for (const body of [EVENT, 'no JSON', 'x'.repeat(LIMIT + 1)]) await post(url, body, headers);
    await fetch(`${url}?token=${token}`, { headers });
    const log = endpoints.app.logged();
    expect(log).toContain('/webhooks/print/:token');
    expect(log).not.toContain(token);
    expect(log).not.toContain(hashPrintWebhookToken(token));
    expect(log).not.toContain('never-in-the-log');
  });
});

describe('print events during a database outage', () => {
  let own: OpenTestApp;
  let ownEndpoints: Endpoints;
  let shop: Shop;
  let url: string;
  let token: string;

  beforeAll(async () => void (own = await openTestApp()));
  afterAll(() => own.close());

  beforeEach(async () => {
    shop = await addShop(own.db);
    token = (await createPrintWebhookAddress(own, shop)).split('/').at(-1)!;
    ownEndpoints = await listen(own, { replayMs: 50 });
    url = `${ownEndpoints.url}/webhooks/print/${token}`;
  });

  afterEach(async () => {
    await ownEndpoints.close();
    await allowConnections(own.databaseUrl, true);
  });

  function readSpool(): string {
    const folder = join(own.config.home, 'spool');
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  }

  async function waitUntilDrained(): Promise<void> {
    await vi.waitUntil(() => readdirSync(join(own.config.home, 'spool')).length === 0, 10_000);
  }

  test('an event gets 200 and is stored once after the database is back', async () => {
    await allowConnections(own.databaseUrl, false);
    expect((await post(url, EVENT)).status).toBe(200);
    expect((await post(url, EVENT)).status).toBe(200);
    expect((await post(url, '{"event":"other"}')).status).toBe(200);
    await allowConnections(own.databaseUrl, true);
    await waitUntilDrained();
    // An event whose replay failed while the database was coming back is stored after the other events.
    const kept = (await readDeliveriesOfShop(own.db, shop)).toSorted((a, b) => a.topic.localeCompare(b.topic));
    expect(kept.map(({ topic }) => topic)).toEqual(['order_status_updated', 'unknown']);
    expect(kept[0]!.body).toEqual(JSON.parse(EVENT));
    expect(kept[0]!.receivedAt.getTime()).toBeLessThan(Date.now());
    expect(await readJobPayloads(own.db, 'handle_delivery')).toEqual([{ deliveryId: kept[0]!.id }]);
  });

  test('spooled events contain neither the token nor the secret header', async () => {
    await changeSettings(own, shop, { printWebhookHeader: { name: 'X-Print-Secret', value: 'open sesame 1234' } });
    const other = JSON.stringify({ ...JSON.parse(EVENT), id: 'os_2' });
    await post(url, other, { 'X-Print-Secret': 'open sesame 1234' });
    await allowConnections(own.databaseUrl, false);
    await post(url, EVENT, { 'X-Print-Secret': 'open sesame 1234' });
    expect(readSpool()).toContain(hashPrintWebhookToken(token));
    expect(readSpool()).not.toContain(token);
    expect(readSpool()).not.toContain('open sesame');
    await allowConnections(own.databaseUrl, true);
    await waitUntilDrained();
    expect(await readDeliveriesOfShop(own.db, shop)).toHaveLength(2);
  });

  test('an event with a wrong secret header is never stored, and is rejected if the process knows the correct header', async () => {
    await changeSettings(own, shop, { printWebhookHeader: { name: 'X-Print-Secret', value: 'open sesame 1234' } });
    await allowConnections(own.databaseUrl, false);
    // This process had read the address before the address got a secret header.
    expect((await post(url, EVENT, { 'X-Print-Secret': 'wrong' })).status).toBe(200);
    await allowConnections(own.databaseUrl, true);
    await waitUntilDrained();
    expect(await readDeliveriesOfShop(own.db, shop)).toEqual([]);
    const metrics = await (await fetch(`${ownEndpoints.url}/metrics`)).text();
    expect(metrics).toContain('platen_deliveries_total{source="print",result="spooled",topic="any"} 1');
    expect(metrics).toContain('platen_deliveries_total{source="print",result="unknown_address",topic="any"} 1');
    await expectNotFound(await post(url, EVENT, { 'X-Print-Secret': 'wrong' }));
    await allowConnections(own.databaseUrl, false);
    expect((await post(url, EVENT, { 'X-Print-Secret': 'wrong' })).status).toBe(503);
    expect(readdirSync(join(own.config.home, 'spool'))).toEqual([]);
    expect((await post(url, EVENT, { 'X-Print-Secret': 'open sesame 1234' })).status).toBe(200);
  });

  test('a spooled event is stored if its address was valid when the event arrived', async () => {
    await allowConnections(own.databaseUrl, false);
    await post(url, EVENT);
    await ownEndpoints.close();
    await allowConnections(own.databaseUrl, true);
    await own.db.getRepository(PrintWebhookTokens).update({ shopId: shop.id }, { expiresAt: new Date() });
    ownEndpoints = await listen(own, { replayMs: 50 });
    await waitUntilDrained();
    expect(await readDeliveriesOfShop(own.db, shop)).toHaveLength(1);
  });

  test('an event gets 503 if the database and the disk both fail', async () => {
    const folder = join(own.config.home, 'spool');
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, '');
    await allowConnections(own.databaseUrl, false);
    const answer = await post(url, EVENT);
    rmSync(folder);
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toMatch(/spool|ENOTDIR|EEXIST/);
  });

  test('an event gets its response in time while the database hangs, and is eventually stored once', async () => {
    const runner = own.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('lock table deliveries in access exclusive mode');
    expect((await post(url, EVENT)).status).toBe(200);
    expect(readSpool()).not.toBe('');
    await runner.rollbackTransaction();
    await runner.release();
    await waitUntilDrained();
    expect(await readDeliveriesOfShop(own.db, shop)).toHaveLength(1);
  });
});
