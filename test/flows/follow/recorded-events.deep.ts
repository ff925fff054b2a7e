import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deliveries, type Delivery } from '../../../src/database/entities/deliveries.ts';
import { Packages } from '../../../src/database/entities/packages.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
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
    test('each recorded event is stored once even if it arrives twice, and changes no other rows', async () => {
      await placeSubmitted({ 'POSTER-13X18': 1 });
      const before = await readAffectedRows();
      for (const file of EVENTS) {
        const { previewUrl: _, ...kept } = bodyOf(file);
        expect([await deliver(rawOf(file)), await deliver(rawOf(file))]).toEqual([200, 200]);
        await untilIdle(platen.app);
        const same = (await findDeliveries(kept['id'])).filter(
          ({ body }) => body?.['event'] === kept['event'] && body?.['orderId'] === kept['orderId'],
        );
        // The preview is not stored because its URL expires.
        const row = { body: kept, handledAt: expect.any(Date), result: expect.stringMatching(/^(handled|kept)$/) };
        expect(same, file).toMatchObject([row]);
      }
      expect(await readAffectedRows()).toEqual(before);
    });

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
  });
});
