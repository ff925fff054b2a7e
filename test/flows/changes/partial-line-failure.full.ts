import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueFollow } from '../../../src/orders/enqueue/enqueue-follow.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { act, codesOf } from './manual-actions.ts';
import { placeAtService, shippedOf, type OrderAtService } from '../follow/place-at-service.ts';
import { atService, requestReplan, printOrdersOf, untilPrintOrder, untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';

interface Shown {
  items: { quantity: number; fulfillmentStatus: string }[];
  fulfillmentStatus: string;
  shipment: object | null;
  connectedOrderIds: string[];
}

/** The IDs of the orders in which the proxy shows one unit as a separate, failed part. */
const splitOrderIds = new Set<string>();
const toOtherPartId = (id: string): string => id.replace(/^..../, 'ffff');

let platen: Platen;
const proxy = createServer((request, response) => {
  const answer = async (): Promise<void> => {
    const { status, body } = await forward(request, await text(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
  // Requests fail until `platen` has started.
  answer().catch(() => response.destroy());
});
beforeAll(async () => {
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  platen = await startPlaten({
    advanceSeconds: null,
    environment: { PRINT_ORDER_URL: `http://127.0.0.1:${port}` },
  });
});
afterAll(async () => {
  await platen.stop();
  proxy.close();
  proxy.closeAllConnections();
});

async function forward(
  { method = '', url = '', headers }: IncomingMessage,
  body: string,
): Promise<{ status: number; body: string }> {
  const id = [...splitOrderIds].find((one) => url.endsWith(one) || url.endsWith(toOtherPartId(one)));
  const isFailed = id !== undefined && url.endsWith(toOtherPartId(id));
  const kept = { 'content-type': 'application/json', 'x-api-key': String(headers['x-api-key']) };
  const init = { method, headers: kept, ...(body === '' ? {} : { body }) };
  const answer = await fetch(platen.printUrl + (isFailed ? url.replace(toOtherPartId(id), id) : url), init);
  const answered = await answer.text();
  if (method !== 'GET' || id === undefined) return { status: answer.status, body: answered };
  const shown = JSON.parse(answered) as Shown;
  shown.connectedOrderIds = [id, toOtherPartId(id)];
  for (const item of shown.items) item.quantity = isFailed ? 1 : item.quantity - 1;
  if (isFailed) {
    for (const item of shown.items) item.fulfillmentStatus = 'failed';
    const end = { id: toOtherPartId(id), fulfillmentStatus: 'failed', shipment: null };
    return { status: 200, body: JSON.stringify({ ...shown, ...end }) };
  }
  return { status: 200, body: JSON.stringify(shown) };
}

/** Places an order for two units, one of which is in a failed part. */
async function placeSplitOrder(): Promise<OrderAtService> {
  const at = await placeAtService(platen, { [POSTER]: 2 });
  splitOrderIds.add(at.printed.id);
  await follow(at);
  await eventually(() => codesOf(platen, at.order)).toEqual(['service_failed']);
  const [hold] = (await platen.listed(at.order.id)).holds;
  expect(hold?.message).toBe(`The print service reports "failed" for ${POSTER}. This affects 1 of 2 units.`);
  return at;
}

/** Reads the print orders at the service, because the service sends no events about the changes that the proxy makes. */
async function follow({ order }: OrderAtService): Promise<void> {
  for (const printOrder of await printOrdersOf(platen, order)) await enqueueFollow(platen.app.db.manager, printOrder);
  await untilNoDueJobs(platen, order);
}

const readQuantitiesAtService = async (order: PlacedOrder) =>
  (await atService(platen, order)).map(({ items }) => items.map(({ quantity }) => quantity));

test('if units fail in one of two parts, only those units are reprinted, and each unit is fulfilled once', async () => {
  const at = await placeSplitOrder();
  const { done } = await act(platen, at.order, 'print-again');
  expect(done).toEqual([
    `The items of ${at.printOrder.reference} that will not arrive are printed again: 1 of ${POSTER}.`,
  ]);
  const second = await untilPrintOrder(
    platen,
    at.order,
    ({ part, confirmedAt }) => part > at.printOrder.part && confirmedAt !== null,
  );
  for (let again = 0; again < 2; again += 1) {
    await follow(at);
    await requestReplan(platen, at.order);
    await untilNoDueJobs(platen, at.order);
  }
  expect(await codesOf(platen, at.order)).toEqual([]);
  expect(await readQuantitiesAtService(at.order)).toEqual([[2], [1]]);
  await expect(act(platen, at.order, 'print-again')).rejects.toMatchObject({ code: 'nothing_to_print_again' });
  await expect(act(platen, at.order, 'close')).rejects.toMatchObject({ code: 'nothing_to_close' });

  await at.advance('shipped', [{ skus: [POSTER], code: 'FIRST-1' }]);
  await at.advance('shipped', [{ skus: [POSTER], code: 'SECOND-1' }], second.serviceOrderId ?? '');
  await follow(at);
  await eventually(() => shippedOf(platen, at)).toMatchObject([
    { lines: { [POSTER]: 1 }, codes: ['FIRST-1'] },
    { lines: { [POSTER]: 1 }, codes: ['SECOND-1'] },
  ]);
  const states = async () => (await printOrdersOf(platen, at.order)).map(({ state }) => state);
  await eventually(states).toEqual(['fulfilled', 'fulfilled']);
  expect(await codesOf(platen, at.order)).toEqual([]);
});
