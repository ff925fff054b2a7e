import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Deliveries, type Delivery } from '../../../src/database/entities/deliveries.ts';
import { Packages } from '../../../src/database/entities/packages.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';

// The tests read recorded bodies of the print service and deliver them either unchanged or with the IDs of one of Platen's orders.

const FOLDER = join(import.meta.dirname, '../../fixtures/print');
const EVENTS = readdirSync(FOLDER).filter((file) => file.startsWith('webhook_'));

let address: string;

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  const webhooks = (await platen.control('print', 'GET', '/webhooks')) as { addresses: { url: string }[] };
  address = webhooks.addresses[0]?.url ?? '';
  // The stand-in sends no events, so all effects come from the recorded events that the tests deliver.
  await platen.control('print', 'POST', '/webhooks', { drop: true });
});

const rawOf = (file: string): Buffer => readFileSync(join(FOLDER, file));
const bodyOf = (file: string): Record<string, unknown> => JSON.parse(rawOf(file).toString());

async function deliver(body: string | Buffer): Promise<number> {
  const { status } = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await untilIdle(platen.app);
  return status;
}

function findDeliveries(eventId: unknown): Promise<Delivery[]> {
  return platen.app.db.manager.findBy(Deliveries, { source: 'print', eventId: String(eventId) });
}

/** Returns every row that an event could change. */
function readAffectedRows(): Promise<unknown> {
  const tables = ['print_orders', 'print_order_lines', 'service_orders', 'packages', 'package_items', 'holds'];
  const rows = tables.map((table) => platen.app.db.query(`select * from ${table} order by 1, 2`));
  const others = ['timeline_entries', 'variant_connections'];
  const more = others.map((table) => platen.app.db.query(`select * from ${table} order by id`));
  return Promise.all([...rows, ...more, platen.printed()]);
}

async function placeSubmitted(lines: Record<string, number>) {
  const { id, name } = await platen.placeSkus(lines);
  await platen.untilState(id, 'printing');
  await untilIdle(platen.app);
  const [printed] = await platen.printedFor(name);
  if (!printed) throw new Error(`The print service has no order of ${name}.`);
  return { id, printed };
}

test('each recorded event is stored once even if it arrives twice, and changes no other rows', async () => {
  await placeSubmitted({ 'POSTER-13X18': 1 });
  const before = await readAffectedRows();
  for (const file of EVENTS) {
    const { previewUrl: _, ...kept } = bodyOf(file);
    expect([await deliver(rawOf(file)), await deliver(rawOf(file))]).toEqual([200, 200]);
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
  const files = ['webhook_order_item_status_updated_split_mug.json', 'webhook_order_status_updated_split_part1.json'];
  expect(files.map((file) => bodyOf(file)['id'])).toEqual(['os_3193599927', 'os_3193599927']);
  for (const file of files) expect(await deliver(rawOf(file))).toBe(200);
  const topics = (await findDeliveries('os_3193599927')).map(({ topic }) => topic);
  expect(topics.toSorted()).toEqual(['order_item_status_updated', 'order_status_updated']);
});

test('an event that no response from the service confirms changes no state', async () => {
  const { id, printed } = await placeSubmitted({ 'POSTER-30X40': 1 });
  const recorded = bodyOf('webhook_old_style_object_orderStatus.json');
  const { orderReferenceId, items } = printed;
  const named = (recorded['items'] as object[]).map((item) => ({
    ...item,
    itemReferenceId: items[0]?.itemReferenceId,
  }));
  await deliver(JSON.stringify({ ...recorded, orderReferenceId, orderId: printed.id, items: named }));
  expect((await platen.listed(id)).printOrders).toMatchObject([{ state: 'submitted' }]);
  expect((await platen.storeOrder(id)).fulfillments).toEqual([]);
  const where = { serviceOrderId: printed.id };
  const packages = await platen.app.db.manager.find(Packages, { where, order: { trackingCode: 'ASC' } });
  expect(packages).toMatchObject([
    { trackingCode: 'code123', confirmedAt: null },
    { trackingCode: 'code234', confirmedAt: null },
  ]);
});
