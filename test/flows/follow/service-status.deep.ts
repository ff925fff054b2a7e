import { expect, test } from 'vitest';
import { Holds, StorefrontOrders, type Hold } from '../../../src/database/entities/orders.ts';
import {
  PrintOrderLines,
  ServiceOrders,
  type PrintOrder,
  ServiceComments,
} from '../../../src/database/entities/print-orders.ts';
import { auditPrintAccount } from '../../../src/orders/follow/audit-print-account.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { describeTrouble } from '../../../src/orders/facts/service-trouble.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { entriesOf, liveOrders } from '../submit/earlier-interface.ts';
import {
  atService,
  changeLink,
  requestReplan,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

async function placeSubmitted(
  lines: Record<string, number>,
): Promise<{ order: PlacedOrder; printOrder: PrintOrder; id: string }> {
  const order = await platen.placeSkus(lines);
  const printOrder = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  const [live] = await liveOrders(platen, order);
  return { order, printOrder, id: live?.id ?? '' };
}

const advance = (id: string, to: string, more: object = {}) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to, ...more });

/** Returns the open holds of an order, each with the line that it concerns. */
async function openHolds(order: PlacedOrder): Promise<Pick<Hold, 'code' | 'message' | 'shopifyLineItemId'>[]> {
  const { id } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  const holds = await platen.app.db.manager.find(Holds, { where: { storefrontOrderId: id }, order: { id: 'ASC' } });
  return holds
    .filter(({ resolvedAt }) => resolvedAt === null)
    .map(({ code, message, shopifyLineItemId }) => ({ code, message, shopifyLineItemId }));
}

const ofOrder = (code: string, message: string) => ({ code, message, shopifyLineItemId: null });
const untilHolds = (order: PlacedOrder, holds: object[]) => eventually(() => openHolds(order)).toEqual(holds);
const untilState = (order: PlacedOrder, state: string) =>
  eventually(async () => (await printOrdersOf(platen, order)).map((one) => one.state)).toEqual([state]);

/** Returns the print service's stored comments on a print order and its items. */
async function commentsOn({ id: printOrderId }: PrintOrder): Promise<string[]> {
  const comments = await platen.app.db.manager.findBy(ServiceComments, { printOrderId });
  return comments.map(({ comment }) => comment);
}

async function itemOf(printOrder: PrintOrder, sku: string) {
  return platen.app.db.manager.findOneByOrFail(PrintOrderLines, { printOrderId: printOrder.id, sku });
}

test('an order that is on hold at the service is held with the service’s comment, and resumes automatically', async () => {
  const { order, printOrder, id } = await placeSubmitted({ 'POSTER-30X40': 1 });
  await advance(id, 'on_hold', { comment: ' The file\u0007 is   too small ' });
  const message = 'The print service reports "on hold", with the comment: The file is too small';
  await untilHolds(order, [ofOrder('service_on_hold', message)]);
  const listed = await platen.listed(order.id);
  expect(listed).toMatchObject({ state: 'held', holds: [{ code: 'service_on_hold' }] });
  expect(listed.holds[0]?.remedy).toContain('resumes automatically');
  // The comment may contain personal data, so it is omitted from the timeline, which is retained longer.
  const entries = await entriesOf(platen, printOrder, 'held');
  expect(entries).toMatchObject([{ message: `${printOrder.reference} is held: The print service reports "on hold".` }]);
  await advance(id, 'passed');
  await untilHolds(order, []);
  await untilState(order, 'in_production');
  expect(await atService(platen, order)).toHaveLength(1);
});

test('an item that fails is held, the other items are fulfilled, and a replacement is printed only on request', async () => {
  const { order, printOrder, id } = await placeSubmitted({ 'MUG-11OZ': 1, 'TSHIRT-M': 2 });
  const mug = await itemOf(printOrder, 'MUG-11OZ');
  await advance(id, 'failed', { items: [mug.itemReferenceId], comment: 'No such color' });
  const message = 'The print service reports "failed" for MUG-11OZ, with the comment: No such color';
  await untilHolds(order, [{ code: 'service_failed', message, shopifyLineItemId: mug.shopifyLineItemId }]);
  await advance(id, 'shipped');
  const fulfillments = async () => (await platen.storeOrder(order.id)).fulfillments.map(({ lines }) => lines);
  await eventually(fulfillments).toMatchObject([[{ sku: 'TSHIRT-M', quantity: 2 }]]);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await openHolds(order)).toHaveLength(1);
  expect(await itemOf(printOrder, 'MUG-11OZ')).toMatchObject({ serviceStatus: 'failed' });
  expect(await commentsOn(printOrder)).toEqual(['No such color']);
  expect(await entriesOf(platen, printOrder, 'item_failed')).toHaveLength(1);
  expect(await atService(platen, order)).toHaveLength(1);
  await performManualAction(platen.app, platen.shop, {
    order: order.id,
    action: 'print-again',
    printOrder: null,
    by: 'cli',
  });
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part > printOrder.part && confirmedAt !== null);
  await untilHolds(order, []);
  const made = (await liveOrders(platen, order)).map(({ items }) => items.map(({ quantity }) => quantity));
  expect(made.toSorted((one, other) => other.length - one.length)).toEqual([[1, 2], [1]]);
});

test('transit and delivery are each recorded once, and a later return causes a hold but no state change', async () => {
  const { order, printOrder, id } = await placeSubmitted({ 'POSTER-30X40': 1 });
  await advance(id, 'shipped');
  await untilState(order, 'fulfilled');
  await advance(id, 'in_transit');
  const part = () => platen.app.db.manager.findOneByOrFail(ServiceOrders, { serviceOrderId: id });
  await eventually(async () => (await part()).inTransitAt).toBeInstanceOf(Date);
  expect((await part()).deliveredAt).toBeNull();
  await advance(id, 'delivered');
  await eventually(async () => (await part()).deliveredAt).toBeInstanceOf(Date);
  await advance(id, 'returned', { comment: 'Address unknown' });
  const message = 'The print service reports "returned", with the comment: Address unknown';
  await untilHolds(order, [ofOrder('service_returned', message)]);
  await untilNoDueJobs(platen, order);
  expect((await printOrdersOf(platen, order)).map(({ state }) => state)).toEqual(['fulfilled']);
  const kinds = await platen.timeline(order.id);
  for (const kind of ['in_transit', 'delivered', 'returned'])
    expect(
      kinds.filter((one) => one === kind),
      kind,
    ).toHaveLength(1);
  expect(await entriesOf(platen, printOrder, 'state_refused')).toEqual([]);
});

test('a forged event changes no state, and its comment is not shown', async () => {
  const { order, printOrder, id } = await placeSubmitted({ 'POSTER-30X40': 1 });
  await advance(id, 'passed');
  await untilState(order, 'in_production');
  const addresses = (await platen.control('print', 'GET', '/webhooks')) as { addresses: { url: string }[] };
  const url = addresses.addresses[0]?.url ?? '';
  const event = { event: 'order_status_updated', id: 'os_forged', orderId: id, storeId: null, items: [] };
  const body = { ...event, orderReferenceId: printOrder.reference, fulfillmentStatus: 'failed', comment: 'Pay me' };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  await eventually(() => commentsOn(printOrder)).toEqual(['Pay me']);
  await untilNoDueJobs(platen, order);
  expect(await openHolds(order)).toEqual([]);
  await untilState(order, 'in_production');
  // The forged comment is about another status, so the hold for this status does not show the comment.
  await advance(id, 'canceled');
  await untilHolds(order, [ofOrder('service_canceled', describeTrouble('canceled', null, null))]);
});

/** Places an order that the service splits into two connected parts. Returns the order and the ID of each part. */
async function placeSplit() {
  // The service prints this product at another facility.
  await changeLink(platen, 'CARDS', { productUid: 'phonecase_apple_iphone-13promax_flexi_transparent_satin' });
  const { order, printOrder } = await placeSubmitted({ 'POSTER-30X40': 1, CARDS: 1 });
  const parts = await liveOrders(platen, order);
  expect(parts).toHaveLength(2);
  const partOf = async (sku: string) => {
    const { itemReferenceId } = await itemOf(printOrder, sku);
    return parts.find(({ items }) => items.some((item) => item.itemReferenceId === itemReferenceId))?.id ?? '';
  };
  return { order, printOrder, cards: await partOf('CARDS'), poster: await partOf('POSTER-30X40') };
}

test('an order is held while the service has one of its two connected parts on hold, and if that part fails, the other part is still fulfilled', async () => {
  const { order, printOrder, cards, poster } = await placeSplit();
  await advance(cards, 'pending_approval');
  await untilHolds(order, [ofOrder('service_pending_approval', describeTrouble('pending_approval', null, null))]);
  await untilState(order, 'held');
  await advance(cards, 'failed', { comment: 'Machine broken' });
  const { shopifyLineItemId } = await itemOf(printOrder, 'CARDS');
  const message = 'The print service reports "failed" for CARDS, with the comment: Machine broken';
  await untilHolds(order, [{ code: 'service_failed', message, shopifyLineItemId }]);
  await advance(poster, 'shipped');
  const fulfillments = async () => (await platen.storeOrder(order.id)).fulfillments.map(({ lines }) => lines);
  await eventually(fulfillments).toMatchObject([[{ sku: 'POSTER-30X40' }]]);
  await untilNoDueJobs(platen, order);
  expect(await openHolds(order)).toHaveLength(1);
  expect(await atService(platen, order)).toHaveLength(2);
});

test('the daily audit finds a returned parcel whose event was lost', async () => {
  const { order, printOrder, id } = await placeSubmitted({ 'POSTER-30X40': 1 });
  await advance(id, 'shipped');
  await untilState(order, 'fulfilled');
  await untilNoDueJobs(platen, order);
  await platen.control('print', 'POST', '/webhooks', { drop: 1 });
  await advance(id, 'returned');
  await platen.control('print', 'POST', '/webhooks', { drop: 0 });
  await auditPrintAccount(platen.app, { accountId: printOrder.printAccountId ?? 0 });
  await untilHolds(order, [ofOrder('service_returned', describeTrouble('returned', null, null))]);
});
