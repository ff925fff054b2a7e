import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { Deliveries, type Delivery } from '../../../src/database/entities/deliveries.ts';
import { Packages } from '../../../src/database/entities/packages.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { parseJsonObject } from '../../../src/inbox/parse-json-object.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { orderSchema } from '../../../src/print/current/objects.ts';
import {
  patchOrderRequestSchema,
  searchOrdersRequestSchema,
  searchOrdersResponseSchema,
} from '../../../src/print/current/orders-v4.ts';
import { startPlaten, type Platen, type PrintedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';

// The tests read recorded bodies of the print service and deliver them either unchanged or with the IDs of one of Platen's orders.

const FOLDER = join(import.meta.dirname, '../../fixtures/print');
const FILES = readdirSync(FOLDER).filter((file) => file !== 'INDEX.json');
const EVENTS = FILES.filter((file) => file.startsWith('webhook_'));

type Body = Record<string, unknown>;

function rawOf(file: string): Buffer {
  return readFileSync(join(FOLDER, file));
}

function bodyOf(file: string): Body {
  return JSON.parse(rawOf(file).toString()) as Body;
}

describe('reading recorded bodies', () => {
  /** The schema for each recorded request or response body. */
  const schemas: Record<string, z.ZodType> = {
    'v4_order_create_split_response.json': orderSchema,
    'v4_order_patch_response.json': orderSchema,
    'v4_quote_response_2025.json': searchOrdersResponseSchema,
    'v4_orders_search_request.json': searchOrdersRequestSchema,
    'v4_order_patch_convert_request.json': patchOrderRequestSchema,
    'v4_order_patch_files_request.json': patchOrderRequestSchema,
  };

  /** Returns the paths at which the parsed value differs from the body. A number may become a string, and an empty string may be omitted. */
  function findLostPaths(read: unknown, came: unknown, path = ''): string[] {
    if (came === undefined || came === null || came === '') return [];
    if (typeof came !== 'object') return read === came || read === JSON.stringify(came) ? [] : [path];
    if (typeof read !== 'object' || read === null) return [path];
    if (Array.isArray(came) && (!Array.isArray(read) || read.length !== came.length)) return [path];
    return Object.entries(read).flatMap(([key, value]) => findLostPaths(value, (came as Body)[key], `${path}/${key}`));
  }

  test.each(Object.entries(schemas))('parsing %s loses no field of its schema', (file, schema) => {
    const body = bodyOf(file);
    const read = schema.parse(body) as Body;
    expect(findLostPaths(read, body)).toEqual([]);
    expect(Object.keys(read)).toEqual(expect.arrayContaining(Object.keys(body)));
  });

  test.each(EVENTS)('parsing the event %s loses no field of its kind', (file) => {
    const body = bodyOf(file);
    const { kind, ...read } = parseEvent(body);
    expect(kind).toBe(body['event'] ?? 'order_status_updated');
    expect(findLostPaths(read, body)).toEqual([]);
    // The client reads all fields except `event` and `object`, which name the style of the payload.
    const unread = Object.keys(body).filter((name) => !(name in read));
    expect(unread.filter((name) => name !== 'event' && name !== 'object')).toEqual([]);
  });

  test.each(FILES)('the inbox can read %s as JSON', (file) => {
    const raw = rawOf(file);
    const parsed: unknown = JSON.parse(raw.toString());
    // The inbox accepts only objects. Lists occur only in API responses, so they are wrapped in an object here.
    const expected = Array.isArray(parsed) ? { list: parsed } : parsed;
    const object = Array.isArray(parsed) ? Buffer.from(JSON.stringify({ list: parsed })) : raw;
    expect(parseJsonObject(object)).toEqual(expected);
  });
});

describe('delivering recorded events', () => {
  let platen: Platen;
  let address: string;

  beforeAll(async () => {
    platen = await startPlaten({ advanceSeconds: null });
    const webhooks = (await platen.control('print', 'GET', '/webhooks')) as { addresses: { url: string }[] };
    address = webhooks.addresses[0]?.url ?? '';
    // The stand-in sends no events, so all effects come from the recorded events that the tests deliver.
    await platen.control('print', 'POST', '/webhooks', { drop: true });
  });

  afterAll(() => platen?.stop());

  async function deliver(raw: string | Buffer): Promise<number> {
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(address, { method: 'POST', headers, body: raw });
    return status;
  }

  function findDeliveries(eventId: unknown): Promise<Delivery[]> {
    return platen.app.db.manager.findBy(Deliveries, { source: 'print', eventId: String(eventId) });
  }

  /** Returns every row that an event could change. */
  async function readAffectedRows(): Promise<unknown> {
    const tables = ['print_orders', 'print_order_lines', 'service_orders', 'packages', 'package_items', 'holds'];
    const rows = tables.map((table) => platen.app.db.query(`select * from ${table} order by 1, 2`));
    const timeline = platen.app.db.query('select * from timeline_entries order by id');
    const connections = platen.app.db.query('select * from variant_connections order by id');
    return Promise.all([...rows, timeline, connections, platen.printed()]);
  }

  /** Places an order, waits until it is confirmed, and returns its parts, starting with the chosen part. */
  async function placeSubmitted(lines: Record<string, number>) {
    const placed = await platen.placeSkus(lines);
    const listed = await platen.untilState(placed.id, 'printing');
    await untilIdle(platen.app);
    const parts = await platen.printedFor(placed.name);
    const [first] = parts;
    if (!first) throw new Error(`The print service has no order of ${placed.name}.`);
    const reference = listed.printOrders[0]?.reference ?? '';
    return { placed, reference, parts, first };
  }

  async function stateOf(reference: string): Promise<string | undefined> {
    return (await platen.app.db.manager.findOneBy(PrintOrders, { reference }))?.state;
  }

  function advance(order: Pick<PrintedOrder, 'id'>, body: Body): Promise<unknown> {
    return platen.control('print', 'POST', `/orders/${order.id}/advance`, body);
  }

  /** Returns the recorded body with the IDs of this order. */
  function about(file: string, order: PrintedOrder, item = order.items[0]): Body {
    const { orderReferenceId, id: orderId } = order;
    const itemReferenceId = item?.itemReferenceId;
    const body = bodyOf(file);
    const items = body['items'] as Body[] | undefined;
    return {
      ...body,
      id: `${String(body['id'])}_${orderId}`,
      orderReferenceId,
      orderId,
      ...('itemReferenceId' in body ? { itemReferenceId } : {}),
      ...(items ? { items: items.map((one) => ({ ...one, itemReferenceId })) } : {}),
    };
  }

  describe('unchanged recorded events', () => {
    test.each(EVENTS)(
      'the recorded event %s is stored once even if it arrives twice, and changes no other rows',
      async (file) => {
        const { first } = await placeSubmitted({ 'POSTER-13X18': 1 });
        expect(first.fulfillmentStatus).toBe('created');
        const before = await readAffectedRows();
        const raw = rawOf(file);
        expect([await deliver(raw), await deliver(raw)]).toEqual([200, 200]);
        await untilIdle(platen.app);
        const same = (await findDeliveries(bodyOf(file)['id'])).filter(({ body }) => {
          const came = bodyOf(file);
          return body?.['event'] === came['event'] && body?.['orderId'] === came['orderId'];
        });
        // The preview is not stored because its URL expires.
        const kept = bodyOf(file);
        delete kept['previewUrl'];
        expect(same).toMatchObject([
          { body: kept, handledAt: expect.any(Date), result: expect.stringMatching(/^(handled|kept)$/) },
        ]);
        expect(await readAffectedRows()).toEqual(before);
      },
    );

    test('two recorded events with the same ID count as two events', async () => {
      const files = [
        'webhook_order_item_status_updated_split_mug.json',
        'webhook_order_status_updated_split_part1.json',
      ];
      expect(files.map((file) => bodyOf(file)['id'])).toEqual(['os_3193599927', 'os_3193599927']);
      for (const file of files) expect(await deliver(rawOf(file))).toBe(200);
      await untilIdle(platen.app);
      const topics = (await findDeliveries('os_3193599927')).map(({ topic }) => topic);
      expect(topics.toSorted()).toEqual(['order_item_status_updated', 'order_status_updated']);
    });
  });

  describe('recorded events about one of Platen’s orders', () => {
    test('an item with the status "passed" puts the print order into production', async () => {
      const { first, reference } = await placeSubmitted({ 'POSTER-30X40': 1 });
      await advance(first, { to: 'passed' });
      expect(await stateOf(reference)).toBe('submitted');
      await deliver(JSON.stringify(about('webhook_order_item_status_updated_passed.json', first)));
      await vi.waitFor(async () => expect(await stateOf(reference)).toBe('in_production'), 10_000);
    });

    test('an event that no response from the service confirms changes no state', async () => {
      const { first, placed, reference } = await placeSubmitted({ 'POSTER-30X40': 1 });
      await deliver(JSON.stringify(about('webhook_old_style_object_orderStatus.json', first)));
      await untilIdle(platen.app);
      expect(await stateOf(reference)).toBe('submitted');
      expect((await platen.storeOrder(placed.id)).fulfillments).toEqual([]);
      const where = { serviceOrderId: first.id };
      const packages = await platen.app.db.manager.find(Packages, { where, order: { trackingCode: 'ASC' } });
      expect(packages).toMatchObject([
        { trackingCode: 'code123', confirmedAt: null },
        { trackingCode: 'code234', confirmedAt: null },
      ]);
    });

    test('an older-style shipped event with two tracking codes creates one fulfillment with both codes', async () => {
      const { first, placed } = await placeSubmitted({ 'MUG-11OZ': 2 });
      const event = about('webhook_old_style_object_orderStatus.json', first);
      const itemReferenceId = first.items[0]?.itemReferenceId;
      const packages = ['code123', 'code234'].map((trackingCode) => ({
        items: [itemReferenceId],
        trackingCode,
        trackingUrl: `http://example.com/tracking?code=${trackingCode}`,
      }));
      await advance(first, { to: 'shipped', packages });
      await deliver(JSON.stringify(event));
      await platen.untilState(placed.id, 'fulfilled');
      const { fulfillments } = await platen.storeOrder(placed.id);
      expect(fulfillments).toMatchObject([
        { lines: [{ sku: 'MUG-11OZ', quantity: 2 }], trackingUrls: [], notified: true },
      ]);
      expect(fulfillments[0]?.trackingCodes.toSorted()).toEqual(['code123', 'code234']);
    });

    test('the events of a split order advance the order only as far as its slowest part', async () => {
      const phoneCase = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';
      await platen.app.db.query(`update print_links set product_uid = $1 where sku = 'CARDS'`, [phoneCase]);
      const { parts, first, reference } = await placeSubmitted({ 'POSTER-13X18': 1, CARDS: 1 });
      const second = parts.find(({ id }) => id !== first.id);
      if (!second) throw new Error('The order was not split.');
      expect(parts.map(({ orderReferenceId }) => orderReferenceId)).toEqual([reference, reference]);
      await advance(first, { to: 'passed' });
      await deliver(JSON.stringify(about('webhook_order_item_status_updated_split_poster.json', first)));
      await deliver(JSON.stringify(about('webhook_order_status_updated_split_part1.json', first)));
      await untilIdle(platen.app);
      expect(await stateOf(reference)).toBe('submitted');
      await advance(second, { to: 'passed' });
      await deliver(JSON.stringify(about('webhook_order_item_status_updated_split_mug.json', second)));
      await vi.waitFor(async () => expect(await stateOf(reference)).toBe('in_production'), 10_000);
    });

    test('a delivery estimate is recorded once in the timeline and changes no state', async () => {
      const { first, placed, reference } = await placeSubmitted({ 'POSTER-13X18': 1 });
      const event = about('webhook_order_delivery_estimate_updated.json', first);
      await deliver(JSON.stringify(event));
      await deliver(JSON.stringify({ ...event, id: 'another' }));
      await untilIdle(platen.app);
      const entries = (await platen.timeline(placed.id)).filter((kind) => kind === 'delivery_estimate');
      expect(entries).toHaveLength(1);
      expect(await stateOf(reference)).toBe('submitted');
    });

    test.each([
      'webhook_old_style_object_orderStatus.json',
      'webhook_order_item_status_updated_passed.json',
      'webhook_order_status_updated_split_part1.json',
      'webhook_order_delivery_estimate_updated.json',
    ])('the event %s with a reference from Platen but another order ID changes no state', async (file) => {
      const { first, placed, reference } = await placeSubmitted({ 'POSTER-13X18': 1 });
      const { orderId } = bodyOf(file);
      const event: Body = { ...about(file, first), orderId };
      const timeline = await platen.timeline(placed.id);
      expect(await deliver(JSON.stringify(event))).toBe(200);
      await untilIdle(platen.app);
      expect(await findDeliveries(event['id'])).toMatchObject([{ result: 'handled' }]);
      expect(await stateOf(reference)).toBe('submitted');
      expect(await platen.timeline(placed.id)).toEqual(timeline);
      expect(await platen.app.db.query('select 1 from packages where service_order_id = $1', [orderId])).toEqual([]);
    });
  });
});
