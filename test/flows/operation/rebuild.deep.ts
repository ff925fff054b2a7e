import { expect, test } from 'vitest';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { act, codesOf, untilCodes } from '../changes/manual-actions.ts';
import { advance } from '../changes/order-stages.ts';
import { shippedOf } from '../follow/place-at-service.ts';
import {
  atService,
  deletePrintingData,
  injectFaults,
  inStore,
  placeUnsubmitted,
  printOrdersOf,
  requestReplan,
  untilPrintedOnce,
} from '../submit/submit-helpers.ts';

const MUG = 'MUG-11OZ';
const QUIET_MS = 900_000;

testPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 } });

/**
 * Removes everything that the database knows about the printing of an order, as an older backup does, and lets the quiet time pass, in which
 * something may happen to the order.
 */
async function restore(order: PlacedOrder, meanwhile = (): Promise<void> => Promise.resolve()): Promise<void> {
  await untilIdle(platen.app);
  await deletePrintingData(platen, order);
  await beginQuietTimeAfterRestore(platen.app);
  await meanwhile();
  await requestReplan(platen, order);
  await platen.pass(QUIET_MS + 60_000);
  await untilIdle(platen.app);
}

const unitsAt = async (order: PlacedOrder): Promise<number[]> =>
  (await platen.printedFor(order.name)).map(({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0));

/** Returns the units and emails of each fulfillment in the store. */
async function fulfilled(order: PlacedOrder): Promise<[number, number][]> {
  const shown = await shippedOf(platen, { order });
  return shown.map(({ lines, mails }) => [Object.values(lines).reduce((sum, units) => sum + units, 0), mails]);
}

/** Places an order for two mugs in two fulfillment orders, the second of which is on hold in the store. The first is printed. */
async function placeInTwoParts(): Promise<PlacedOrder> {
  await changeSettings(platen.app, platen.shop, { delayMinutes: 60 });
  const order = await platen.placeSkus({ [MUG]: 2 });
  await untilIdle(platen.app);
  const [whole] = (await platen.storeOrder(order.id)).fulfillmentOrders;
  const lines = [{ id: order.lines[0]?.id, quantity: 1 }];
  await inStore(platen, order, 'split', { fulfillmentOrderId: whole?.id, lines });
  const parts = (await platen.storeOrder(order.id)).fulfillmentOrders.filter(({ status }) => status === 'OPEN');
  expect(parts).toHaveLength(2);
  await inStore(platen, order, 'hold', { fulfillmentOrderId: parts[1]?.id });
  await changeSettings(platen.app, platen.shop, { delayMinutes: 0 });
  await untilPrintedOnce(platen, [order]);
  expect(await unitsAt(order)).toEqual([1]);
  return order;
}

async function deleteInStore({ id }: PlacedOrder): Promise<void> {
  await fetch(`${platen.storeUrl}/_control/orders/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Ships everything of the order that has not left yet. */
async function ship(order: PlacedOrder): Promise<void> {
  for (const { id, fulfillmentStatus } of await platen.printedFor(order.name))
    if (fulfillmentStatus !== 'shipped')
      await platen.control('print', 'POST', `/orders/${id}/advance`, { to: 'shipped' });
  await platen.untilState(order.id, 'fulfilled');
}

test('a part that was printed, shipped and forgotten is not mistaken for the other part', async () => {
  const order = await placeInTwoParts();
  await advance(platen, order, 'shipped');
  await eventually(() => fulfilled(order)).toEqual([[1, 1]]);
  await restore(order);
  await inStore(platen, order, 'release');
  await eventually(() => unitsAt(order)).toEqual([1, 1]);
  await ship(order);
  expect(await fulfilled(order)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(await codesOf(platen, order)).toEqual([]);
});

test.each(['created', 'printed', 'shipped'])(
  'a forgotten print order that is %s is followed, and shipped once',
  async (state) => {
    const order = await platen.placeSkus({ [MUG]: 2 });
    await untilPrintedOnce(platen, [order]);
    if (state !== 'created') await advance(platen, order, state);
    await restore(order);
    expect(await unitsAt(order)).toEqual([2]);
    await ship(order);
    expect(await fulfilled(order)).toEqual([[2, 1]]);
    expect(await codesOf(platen, order)).toEqual([]);
  },
);

test('a forgotten fulfillment that was canceled in the store is not made again', async () => {
  const order = await platen.placeSkus({ [MUG]: 1 });
  await untilPrintedOnce(platen, [order]);
  await ship(order);
  const [fulfillment] = (await platen.storeOrder(order.id)).fulfillments;
  const cancel = 'mutation Cancel($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }';
  const admin = await openAdmin(platen.app, platen.shop);
  await admin.request({ name: 'Cancel', kind: 'mutation', text: cancel } as never, { id: fulfillment?.id } as never);
  await restore(order);
  expect(await codesOf(platen, order)).toEqual(['fulfillment_canceled']);
  expect(await unitsAt(order)).toEqual([1]);
  expect(await fulfilled(order)).toEqual([]);
});

test('a forgotten print order of an order that was canceled meanwhile is canceled', async () => {
  const order = await platen.placeSkus({ [MUG]: 1 });
  await untilPrintedOnce(platen, [order]);
  await restore(order, () => inStore(platen, order, 'cancel'));
  expect((await atService(platen, order)).map(({ fulfillmentStatus }) => fulfillmentStatus)).toEqual(['canceled']);
  expect(await codesOf(platen, order)).toEqual([]);
});

test('a forgotten draft of an order that was canceled meanwhile is deleted', async () => {
  await changeSettings(platen.app, platen.shop, { leavesDrafts: true });
  const order = await platen.placeSkus({ [MUG]: 1 });
  await eventually(async () => (await atService(platen, order)).length).toBe(1);
  await restore(order, () => inStore(platen, order, 'cancel'));
  await changeSettings(platen.app, platen.shop, { leavesDrafts: false });
  expect((await atService(platen, order)).map(({ deleted }) => deleted)).toEqual([true]);
});

test('an order is not closed in the store while the database may have forgotten a print order of it', async () => {
  const order = await platen.placeSkus({ [MUG]: 1 });
  await untilPrintedOnce(platen, [order]);
  await advance(platen, order, 'failed');
  await untilCodes(platen, order, ['service_failed']);
  await beginQuietTimeAfterRestore(platen.app);
  await expect(act(platen, order, 'close')).rejects.toMatchObject({ code: 'being_rebuilt' });
  await requestReplan(platen, order);
  await platen.pass(QUIET_MS + 60_000);
  await untilIdle(platen.app);
  await act(platen, order, 'close');
});

test('a draft of an order that was deleted in the store meanwhile is deleted', async () => {
  await changeSettings(platen.app, platen.shop, { leavesDrafts: true });
  const order = await platen.placeSkus({ [MUG]: 1 });
  await eventually(async () => (await atService(platen, order)).length).toBe(1);
  await restore(order, () => deleteInStore(order));
  await changeSettings(platen.app, platen.shop, { leavesDrafts: false });
  expect((await atService(platen, order)).map(({ deleted }) => deleted)).toEqual([true]);
});

test('a known print order of an order that was deleted in the store meanwhile is canceled', async () => {
  const order = await platen.placeSkus({ [MUG]: 1 });
  await untilPrintedOnce(platen, [order]);
  await untilIdle(platen.app);
  await beginQuietTimeAfterRestore(platen.app);
  await deleteInStore(order);
  await requestReplan(platen, order);
  await platen.pass(QUIET_MS + 60_000);
  await untilIdle(platen.app);
  expect((await atService(platen, order)).map(({ fulfillmentStatus }) => fulfillmentStatus)).toEqual(['canceled']);
});

test('an order that was sent with a key that the shop replaced meanwhile is found in its account', async () => {
  const before = await platen.placeSkus({ [MUG]: 1 });
  const order = await platen.placeSkus({ [MUG]: 1 });
  await untilPrintedOnce(platen, [before, order]);
  await restore(order, () =>
    changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key-of-another-account' }).then(() => undefined),
  );
  expect(await unitsAt(order)).toEqual([1]);
  await changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key' });
  expect((await printOrdersOf(platen, order)).map(({ state }) => state)).toEqual(['submitted']);
});

test('units that were refunded while a forgotten print order is printed are reported', async () => {
  const order = await platen.placeSkus({ [MUG]: 2 });
  await untilPrintedOnce(platen, [order]);
  await advance(platen, order, 'printed');
  await restore(order, () => inStore(platen, order, 'refund', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] }));
  expect(await codesOf(platen, order)).toEqual(['changed_after_submit']);
  expect(await unitsAt(order)).toEqual([2]);
});

test('a restored order is neither planned nor sent while the print account cannot be searched', async () => {
  const { order } = await placeUnsubmitted(platen);
  await restore(order);
  expect(await printOrdersOf(platen, order)).toEqual([]);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await injectFaults(platen, []);
  await platen.pass(3_600_000);
  await untilPrintedOnce(platen, [order]);
});
