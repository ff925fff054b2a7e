import { afterEach, expect, test } from 'vitest';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { endQuietTime } from '../../src/shops/print-account/end-quiet-time.ts';
import { readConnections } from '../../src/shops/read-connections.ts';
import { readQuietUntil } from '../../src/shops/print-account/read-quiet-until.ts';
import { beginQuietTimeAfterRestore } from '../../src/shops/install/installation.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import { readFence, writeFence, type Fence } from '../../src/shopify/calls/fence.ts';
import { DeleteProductMetafieldsDocument } from '../../src/shopify/generated/operations.ts';
import { countAdminCalls } from '../helpers/count-admin-calls.ts';
import { enqueuePolls } from '../helpers/enqueue-polls.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import { platen, testPlaten } from '../helpers/test-platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';

const POSTER = { 'POSTER-30X40': 1 };
const OTHER = 'the key of another database';

testPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 } });

const readShop = (): Promise<Shop> => platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
const fenceInStore = async () => readFence(await openAdmin(platen.app, platen.shop));

/** Does what another database does when it takes over the store. */
async function takeOver(): Promise<void> {
  const read = await fenceInStore();
  const fence: Fence = { key: OTHER, epoch: (read.fence?.epoch ?? 0) + 1 };
  expect(await writeFence(await openAdmin(platen.app, platen.shop), read, fence)).toBe(true);
}

async function place(): Promise<PlacedOrder> {
  const order = await platen.placeSkus(POSTER);
  await untilIdle(platen.app);
  return order;
}

const printedFor = async ({ name }: PlacedOrder): Promise<number> => (await platen.printedFor(name)).length;

/** Takes the store back, as `platen restored` does, and lets the quiet time end. */
async function takeBack(): Promise<void> {
  await beginQuietTimeAfterRestore(platen.app);
  await untilIdle(platen.app);
  await endQuietTime(platen.app);
  await untilIdle(platen.app);
}

afterEach(async () => {
  if ((await readShop()).fencedOffAt !== null) await takeBack();
});

test('a database writes its fence once per store', async () => {
  const counted = await countAdminCalls(platen);
  const orders = await Promise.all([1, 2, 3].map(() => platen.placeSkus(POSTER)));
  await untilIdle(platen.app);
  expect(await Promise.all(orders.map(printedFor))).toEqual([1, 1, 1]);
  await place();
  const { byName } = await counted();
  expect(byName['WriteFence'] ?? 0).toBeLessThanOrEqual(3);
  const { fenceKey: key, fenceEpoch: epoch, quietUntil } = await readShop();
  expect((await fenceInStore()).fence).toEqual({ key, epoch });
  expect([epoch, quietUntil]).toEqual([1, null]);
});

test('a database whose store was taken over by another one sends nothing, and says so', async () => {
  const before = await place();
  expect(await printedFor(before)).toBe(1);
  await takeOver();
  const after = await place();
  expect(await printedFor(after)).toBe(0);
  expect((await readConnections(platen.app, platen.shop)).store.fencedOffAt).toEqual(expect.any(Date));
  await expect(openAdmin(platen.app, platen.shop)).rejects.toMatchObject({ code: 'fenced_off' });
  // The parcel is on its way, but the other database adds it to the store.
  const [printed] = await platen.printedFor(before.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await platen.pass(60_000);
  expect((await platen.storeOrder(before.id)).fulfillments).toEqual([]);
});

test('a fence that cannot be read counts as that of another database', async () => {
  await place();
  const unreadable: Fence = { key: 'k'.repeat(101), epoch: 1 };
  expect(await writeFence(await openAdmin(platen.app, platen.shop), await fenceInStore(), unreadable)).toBe(true);
  expect(await printedFor(await place())).toBe(0);
});

test('a database that has stopped polls neither the store nor the print service', async () => {
  expect(await printedFor(await place())).toBe(1);
  await takeOver();
  await place();
  await platen.pass(3_600_000);
  await platen.control('print', 'POST', '/faults', [{ path: '/', kind: 'status', status: 500, rate: 1 }]);
  const counted = await countAdminCalls(platen);
  await enqueuePolls(platen.app);
  await platen.pass(3_600_000);
  expect((await counted()).byName).toEqual({});
  const { injected } = (await platen.control('print', 'GET', '/faults')) as { injected: object };
  expect(injected).toEqual({});
  await platen.control('print', 'POST', '/faults', []);
});

test('a store that was taken back gets its orders and parcels after the quiet time', async () => {
  const before = await place();
  const epoch = (await fenceInStore()).fence?.epoch ?? 0;
  await takeOver();
  const during = await place();
  expect(await printedFor(during)).toBe(0);
  await beginQuietTimeAfterRestore(platen.app);
  await untilIdle(platen.app);
  // This database has taken the store back, but the other one may have read its fence just before.
  expect((await fenceInStore()).fence).toMatchObject({ epoch: epoch + 2 });
  expect(await printedFor(during)).toBe(0);
  expect(await readQuietUntil(platen.app, platen.shop)).toEqual(expect.any(Date));
  await endQuietTime(platen.app);
  await platen.untilState(during.id, 'printing');
  expect([await printedFor(before), await printedFor(during)]).toEqual([1, 1]);
});

/** Writes the fence again, as a copy of the database's files does, which has the same key. */
async function renewAsCopy(): Promise<void> {
  const read = await fenceInStore();
  const { key = '', epoch = 0 } = read.fence ?? {};
  expect(await writeFence(await openAdmin(platen.app, platen.shop), read, { key, epoch: epoch + 1 })).toBe(true);
}

test('each process writes a higher epoch at its first order and after an hour', async () => {
  await place();
  const before = (await fenceInStore()).fence?.epoch ?? 0;
  const { quietUntil } = await readShop();
  await place();
  expect((await fenceInStore()).fence?.epoch).toBe(before);
  await platen.pass(3_600_000);
  await place();
  expect((await fenceInStore()).fence?.epoch).toBe(before + 1);
  expect((await readShop()).quietUntil).toEqual(quietUntil);
});

test('a database that finds a later epoch of its own key takes the store over, and waits', async () => {
  await place();
  const { fenceKey } = await readShop();
  await renewAsCopy();
  const order = await place();
  expect(await printedFor(order)).toBe(0);
  const { fence } = await fenceInStore();
  expect(fence?.key).not.toBe(fenceKey);
  await endQuietTime(platen.app);
  await platen.untilState(order.id, 'printing');
  expect(await printedFor(order)).toBe(1);
});

test('a fence that disappeared is written again without a pause', async () => {
  await place();
  const { fenceKey: key } = await readShop();
  const { installationId } = await fenceInStore();
  const metafields = [{ ownerId: installationId, namespace: '$app', key: 'database' }];
  await (await openAdmin(platen.app, platen.shop)).request(DeleteProductMetafieldsDocument, { metafields });
  expect(await printedFor(await place())).toBe(1);
  expect((await fenceInStore()).fence).toMatchObject({ key });
});
