import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { PrintOrders, ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { storePrintEvent } from '../../../src/inbox/receive-print-delivery.ts';
import { ADDRESS, POSTER } from '../../sandbox/print/service.ts';
import type { ShippedOrder, TestShop } from '../../shipments/test-shop.ts';

export type Json = Record<string, unknown>;
export interface ShownPackage {
  code: string;
  skus: string[];
}

/** Adds an order with two lines whose print order exists at the print stand-in, where it has not advanced yet. */
export async function printTwoLines(shop: TestShop, productOfMug = POSTER): Promise<ShippedOrder> {
  const order = await shop.ordered({ 'POSTER-13X18': 2, 'MUG-11OZ': 1 });
  const { printOrder } = order;
  const { id } = await createAtService(shop, order, 'order', productOfMug);
  const { manager } = shop.app.db;
  await manager.update(PrintOrders, { id: printOrder.id }, { serviceOrderId: id, state: 'submitted', shippedAt: null });
  await manager.update(ServiceOrders, { printOrderId: printOrder.id }, { serviceOrderId: id });
  printOrder.serviceOrderId = id;
  return order;
}

export async function createAtService(
  shop: TestShop,
  order: ShippedOrder,
  orderType: 'order' | 'draft',
  productOfMug = POSTER,
): Promise<{ id: string }> {
  const items = [
    {
      itemReferenceId: order.itemOf('POSTER-13X18'),
      productUid: POSTER,
      quantity: 2,
      fileUrl: 'https://files.example/1.pdf',
    },
    {
      itemReferenceId: order.itemOf('MUG-11OZ'),
      productUid: productOfMug,
      quantity: 1,
      fileUrl: 'https://files.example/2.pdf',
    },
  ];
  const body = {
    orderType,
    orderReferenceId: order.printOrder.reference,
    customerReferenceId: 'customer-1',
    currency: 'USD',
    items,
    shippingAddress: ADDRESS,
  };
  const headers = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' };
  const answer = await fetch(`${shop.printUrl}/v3/orders`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { id: string };
}

/** Ships an order at the stand-in in these packages. Returns the events that the stand-in sent, in order. */
export async function shipAtService(
  shop: TestShop,
  order: ShippedOrder,
  packages: ShownPackage[],
  serviceOrderId = order.printOrder.serviceOrderId,
): Promise<Json[]> {
  const { url, received } = await startReceiver();
  await shop.inPrint('/webhooks', { addresses: [{ key: 'sandbox-key', url }] });
  await shop.inPrint(`/orders/${serviceOrderId}/advance`, {
    to: 'shipped',
    packages: packages.map(({ code, skus }) => ({ items: skus.map((sku) => order.itemOf(sku)), trackingCode: code })),
  });
  const codes = packages.flatMap(({ skus }) => skus).length;
  const isCode = ({ event }: Json) => event === 'order_item_tracking_code_updated';
  const isShipped = ({ fulfillmentStatus }: Json) => fulfillmentStatus === 'shipped';
  await expect.poll(() => [received.filter(isCode).length, received.filter(isShipped).length]).toEqual([codes, 1]);
  return received;
}

async function startReceiver(): Promise<{ url: string; received: Json[] }> {
  const received: Json[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json);
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/events`, received };
}

/** Stores an event as the endpoint does. If the event's print order is confirmed, the next reading of the print order handles the event. */
export const checkOnArrival = (shop: TestShop, body: Json, at: Shop = shop.shop) =>
  storePrintEvent(shop.app, at.id, toArrival(JSON.stringify(body)), body);
const toArrival = (body: string) => ({
  tokenHash: '',
  headerProofs: [],
  receivedAt: new Date(),
  rawBody: Buffer.from(body),
});

/** Returns a tracking event for an order. */
export function trackingOf(order: ShippedOrder, more: Json = {}): Json {
  return {
    event: 'order_item_tracking_code_updated',
    id: 'tc_1',
    orderId: order.printOrder.serviceOrderId,
    orderReferenceId: order.printOrder.reference,
    itemReferenceId: order.itemOf('POSTER-13X18'),
    trackingCode: 'CODE-1',
    trackingUrl: 'https://track.example/CODE-1',
    ...more,
  };
}
