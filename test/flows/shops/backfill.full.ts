import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { Backfills, type Backfill } from '../../../src/database/entities/backfills.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { runBackfill } from '../../../src/orders/backfill/run-backfill.ts';
import { startBackfill } from '../../../src/orders/backfill/start-backfill.ts';
import { createFulfillment } from '../../../src/shopify/calls/fulfillments.ts';
import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { adminOf } from '../follow/place-at-service.ts';
import {
  atService,
  injectFaults,
  placeDuplicate,
  untilPrintedOnce,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';
const MUG = 'MUG-11OZ';
const DAY_MS = 86_400_000;

let now: () => number;

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  // Entering the print key starts a poll of the shop's orders, which must end before the tests start.
  await untilIdle(platen.app);
});

/** Each test has its own range of days, later than the ranges of the previous tests. */
let daysAgo = 50;
beforeEach(() => {
  const start = platen.app.clock.now().getTime() - (daysAgo -= 5) * DAY_MS;
  now = () => start;
});
afterEach(async () => {
  await injectFaults(platen, []);
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  await changeSettings(platen.app, platen.shop, { release: 'automatic' });
});

/** Returns the time this many hours after the start of the test's days. */
const at = (hours: number): string => new Date(now() + hours * 3_600_000).toISOString();

const place = (skus: Record<string, number>, hours: number, more: Record<string, unknown> = {}) =>
  platen.placeSkus(skus, { createdAt: at(hours), ...more });

/** Places an order whose webhooks are lost. */
const placeWithoutWebhooks = (skus: Record<string, number>, hours: number, more: Record<string, unknown> = {}) =>
  withoutWebhooks(() => place(skus, hours, more));

async function withoutWebhooks<Placed extends PlacedOrder | PlacedOrder[]>(
  act: () => Promise<Placed>,
): Promise<Placed> {
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  const placed = await act();
  // Routing an order sends its own webhook, which must be lost too.
  for (const { id } of [placed].flat())
    await eventually(async () => (await platen.storeOrder(id)).fulfillmentOrders.length).toBeGreaterThan(0);
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  return placed;
}

async function beginBackfill(more: Partial<{ isDryRun: boolean; besideOtherApp: boolean }> = {}): Promise<Backfill> {
  const shop = await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
  const asked = { since: at(0), isDryRun: false, besideOtherApp: false, by: 'cli' as const };
  return startBackfill(platen.app, shop, { ...asked, ...more });
}

const read = ({ id }: Backfill): Promise<Backfill> => platen.app.db.manager.findOneByOrFail(Backfills, { id });

async function untilDone(backfill: Backfill): Promise<Backfill> {
  await eventually(async () => (await read(backfill)).finishedAt).not.toBeNull();
  return read(backfill);
}

const run = async (more: Parameters<typeof beginBackfill>[0] = {}): Promise<Backfill> =>
  untilDone(await beginBackfill(more));

/** Expects that the print service has no order or draft for these orders. */
async function expectNothingAtService(orders: PlacedOrder[]): Promise<void> {
  for (const order of orders) expect(await atService(platen, order), order.name).toEqual([]);
}

async function fulfillByHand(order: PlacedOrder, sku: string, quantity: number): Promise<void> {
  const admin = await adminOf(platen);
  const lines = async () => {
    const reading = await readOrderForPlan(admin, order.id, { withCustomer: false });
    return (reading?.fulfillmentOrders ?? []).flatMap(({ id: fulfillmentOrderId, lines: inside }) =>
      inside.map((line) => ({ fulfillmentOrderId, id: line.id, sku: line.sku })),
    );
  };
  await eventually(async () => (await lines()).length).toBeGreaterThan(0);
  const line = (await lines()).find((one) => one.sku === sku);
  const fulfillmentOrderLineItems = [{ id: line?.id ?? '', quantity }];
  await createFulfillment(admin, {
    lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: line?.fulfillmentOrderId ?? '', fulfillmentOrderLineItems }],
  });
}

test('a dry run lists orders from before the installation without printing them, and the backfill prints each of them once', async () => {
  const received = await place({ [POSTER]: 2 }, 1);
  const missed = await placeWithoutWebhooks({ [MUG]: 1 }, 2);
  const mixed = await placeWithoutWebhooks({ [POSTER]: 1, [MUG]: 3 }, 3);
  const half = await placeWithoutWebhooks({ [POSTER]: 3 }, 4);
  await fulfillByHand(half, POSTER, 1);
  const whole = await placeWithoutWebhooks({ [POSTER]: 1 }, 5);
  await fulfillByHand(whole, POSTER, 1);
  const unpaid = await placeWithoutWebhooks({ [POSTER]: 1 }, 6, { financialStatus: 'pending' });
  const canceled = await placeWithoutWebhooks({ [POSTER]: 1 }, 7);
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(canceled.id)}/cancel`, {});
  const tested = await placeWithoutWebhooks({ [POSTER]: 1 }, 8, { test: true });
  const older = await placeWithoutWebhooks({ [POSTER]: 1 }, -1);
  await platen.untilState(received.id, 'nothing_to_do');
  const left = [whole, unpaid, canceled, tested, older];

  const dry = await run({ isDryRun: true });
  const toPrint = (sku: string, quantity: number) => ({ sku, quantity });
  expect(dry.found.map(({ name, placedAt, lines, waits }) => [name, placedAt.slice(0, 19), lines, waits])).toEqual([
    [received.name, at(1).slice(0, 19), [toPrint(POSTER, 2)], null],
    [missed.name, at(2).slice(0, 19), [toPrint(MUG, 1)], null],
    [mixed.name, at(3).slice(0, 19), [toPrint(POSTER, 1), toPrint(MUG, 3)], null],
    [half.name, at(4).slice(0, 19), [toPrint(POSTER, 2)], null],
  ]);
  expect(dry).toMatchObject({ ordersFound: 4, ordersKnown: 0, stoppedReason: null });
  await untilIdle(platen.app);
  await expectNothingAtService([received, missed, mixed, half, ...left]);
  const known = await platen.app.db.manager.findBy(StorefrontOrders, { shopId: platen.shop.id });
  expect(known.map(({ shopifyOrderId }) => shopifyOrderId)).not.toContain(missed.id);

  const real = await run();
  expect(real).toMatchObject({ ordersKnown: 0, stoppedReason: null });
  await untilPrintedOnce(platen, [received, missed, half]);
  await eventually(async () => (await platen.printedFor(mixed.name)).length).toBeGreaterThan(0);
  await untilIdle(platen.app);
  const [printedHalf] = await platen.printedFor(half.name);
  expect(printedHalf?.items.map(({ quantity }) => quantity)).toEqual([2]);
  await expectNothingAtService(left);
  expect(await platen.timeline(received.id)).toContain('backfilled');

  const before = await platen.printed();
  const again = await run();
  expect(again).toMatchObject({ ordersKnown: 5, ordersFound: 0 });
  await untilIdle(platen.app);
  expect(await platen.printed()).toEqual(before);
});

test('a backfill that is killed before it saves its progress on a page resumes and prints nothing twice', async () => {
  const hours = Array.from({ length: 23 }, (_, index) => index + 1);
  const orders = await withoutWebhooks(() => Promise.all(hours.map((hour) => place({ [POSTER]: 1 }, hour))));
  // Simulates a process that dies at this point: its next job and its cursor are not committed.
  const dying: App = {
    ...platen.app,
    jobs: {
      enqueue: async (queryable, task, ...rest) => {
        if (task === 'backfill') throw new Error('killed');
        await platen.app.jobs.enqueue(queryable, task, ...rest);
      },
    },
  };
  const manager = platen.app.db.manager;
  const startedAt = platen.app.clock.now();
  const asked = { shopId: platen.shop.id, since: new Date(at(0)), isDryRun: false, askedBy: 'cli' };
  const { identifiers } = await manager.insert(Backfills, { ...asked, until: startedAt, startedAt });
  const id = String(identifiers[0]?.['id']);
  for (let life = 0; life < 3; life += 1)
    await expect(runBackfill(dying, { backfillId: id })).rejects.toThrow('killed');
  expect(await manager.findOneByOrFail(Backfills, { id })).toMatchObject({ cursor: null, ordersRead: 0 });
  // A request for a second backfill is rejected and wakes the first backfill.
  await expect(beginBackfill()).rejects.toMatchObject({ code: 'backfill_under_way' });
  const done = await untilDone(await manager.findOneByOrFail(Backfills, { id }));
  expect(done).toMatchObject({ stoppedReason: null, ordersFound: 23 });
  await untilPrintedOnce(platen, orders);
  await untilIdle(platen.app);
  for (const order of orders) expect(await atService(platen, order), order.name).toHaveLength(1);
});

test('a backfill does not reprint orders that an earlier installation printed, but prints those that it left unprinted', async () => {
  const printed = await placeWithoutWebhooks({ [POSTER]: 1 }, 1);
  await run();
  await untilPrintedOnce(platen, [printed]);
  const left = await placeWithoutWebhooks({ [MUG]: 1 }, 2);
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/uninstall`);
  const state = async () => (await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id })).state;
  await eventually(state).toBe('uninstalled');
  await expect(beginBackfill()).rejects.toMatchObject({ code: 'shop_not_installed' });
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/install`);
  await installDemoShop(platen.app, platen.storeUrl);
  await eventually(state).toBe('installed');
  await untilIdle(platen.app);
  const dry = await run({ isDryRun: true });
  expect(dry.found.map(({ name }) => name)).toEqual([left.name]);
  await run();
  await untilPrintedOnce(platen, [left]);
  await untilIdle(platen.app);
  expect(await platen.printedFor(printed.name)).toHaveLength(1);
});

test('a backfill that was running when the store removed Platen is stopped, even if Platen is reinstalled', async () => {
  const order = await placeWithoutWebhooks({ [POSTER]: 1 }, 1);
  const manager = platen.app.db.manager;
  const startedAt = new Date(platen.app.clock.now().getTime() - 3_600_000);
  await manager.update(Shops, { id: platen.shop.id }, { installedAt: platen.app.clock.now() });
  const asked = { shopId: platen.shop.id, since: new Date(at(0)), isDryRun: false, askedBy: 'cli' };
  const { identifiers } = await manager.insert(Backfills, { ...asked, until: startedAt, startedAt });
  await runBackfill(platen.app, { backfillId: String(identifiers[0]?.['id']) });
  const ended = await manager.findOneByOrFail(Backfills, { id: String(identifiers[0]?.['id']) });
  expect(ended).toMatchObject({ stoppedReason: expect.stringContaining('removed Platen'), ordersRead: 0 });
  await untilIdle(platen.app);
  await expectNothingAtService([order]);
});

test('a backfill of orders that another app may have printed starts only after someone confirms it', async () => {
  const order = await placeWithoutWebhooks({ [POSTER]: 1 }, 1);
  const example = await platen.placeSkus({ [POSTER]: 1 });
  const ofExample = await untilPrintOrder(platen, example, ({ confirmedAt }) => confirmedAt !== null);
  // The reference belongs to another installation, such as an earlier installation whose database was lost.
  const { id: lostId } = await placeDuplicate(platen, ofExample, { orderReferenceId: 'plzzzz-1001-1-abcdefghijkl' });
  await expect(beginBackfill()).rejects.toMatchObject({
    code: 'another_app_printed',
    message: expect.stringContaining('Another installation of Platen'),
  });
  await platen.control('print', 'POST', `/orders/${lostId}/advance`, { to: 'shipped' });
  const storeId = '0ddba11e-0000-4000-8000-000000000001';
  await placeDuplicate(platen, ofExample, { orderReferenceId: 'other-app-1' }, { channel: 'shopify', storeId });
  await expect(beginBackfill()).rejects.toMatchObject({
    code: 'another_app_printed',
    message: expect.stringContaining(storeId),
  });
  await untilIdle(platen.app);
  await expectNothingAtService([order]);
  expect((await run({ isDryRun: true })).found.map(({ name }) => name)).toEqual([order.name]);
  await run({ besideOtherApp: true });
  await untilPrintedOnce(platen, [order]);
});
