import type { z } from 'zod';
import { patchOrderRequestSchema } from '../../../src/print/current/orders-v4.ts';
import { Refusal } from '../../refusal.ts';
import { buildShipment } from '../production/build-shipment.ts';
import { findProduct } from '../catalog/find-product.ts';
import { confirmDrafts } from './confirm-drafts.ts';
import { listFacilitiesFor } from '../production/facilities.ts';
import type { Order, OrderRecord } from './order-record.ts';
import { parseRequest } from '../parse-request.ts';
import { findOrder, findParts, type StandIn } from '../stand-in.ts';

type PatchedItem = NonNullable<z.output<typeof patchOrderRequestSchema>['items']>[number];

/**
 * Serves Order Patch: turns a draft and its connected parts into orders. If the ID belongs to an order, the order is returned unchanged. If
 * `items` is given, every item that it does not list is removed from the draft and its parts. Throws a `Refusal`.
 */
export function patchOrder(standIn: StandIn, account: string, orderId: string, body: unknown): Order {
  const record = findOrder(standIn, account, orderId);
  const { items } = parseRequest(patchOrderRequestSchema, body);
  if (record.order.orderType === 'draft') {
    if (items) keepOnlyItems(standIn, findParts(standIn, record), items);
    confirmDrafts(standIn, findParts(standIn, findOrder(standIn, account, orderId)));
  }
  return findOrder(standIn, account, orderId).order;
}

function keepOnlyItems(standIn: StandIn, parts: readonly OrderRecord[], kept: readonly PatchedItem[]): void {
  const known = new Set(parts.flatMap(({ order }) => order.items.map((item) => item.id)));
  const details = kept.flatMap(({ id }, index) =>
    known.has(id)
      ? []
      : [{ message: `Item ${id} does not exist.`, reference: `items[${index}].id`, code: 'unknown_item' }],
  );
  const [first] = details;
  if (first) throw new Refusal(400, 'invalid_request', `${first.reference}: ${first.message}`, details);
  if (kept.length === 0) throw new Refusal(400, 'invalid_request', 'items: an order needs at least one item.');
  const records = parts.map((part) => withItems(standIn, part, kept));
  standIn.books.write(records.map((record) => ['put', 'orders', record.order.id, record]));
}

/** Returns a part with its remaining items and their new files. A part without remaining items is deleted. */
function withItems({ clock, extended }: StandIn, part: OrderRecord, kept: readonly PatchedItem[]): OrderRecord {
  const { order } = part;
  const items = order.items.flatMap((item) => {
    const change = kept.find(({ id }) => id === item.id);
    if (!change) return [];
    return [change.files ? { ...item, files: change.files, fileUrl: change.files[0]?.url ?? null } : item];
  });
  if (items.length === 0) return { ...part, deleted: true };
  const { country } = order.shippingAddress;
  const facility = listFacilitiesFor(country).find(({ id }) => id === order.shipment.fulfillmentFacilityId);
  if (!facility || items.length === order.items.length) return { ...part, order: { ...order, items } };
  const wanted = items.flatMap((item) => {
    const product = findProduct(item.productUid);
    return product ? [{ ...item, product }] : [];
  });
  const { currency } = order;
  const { shipmentMethod } = part;
  const isFurtherPart = order.connectedOrderIds.indexOf(order.id) > 0;
  const now = clock.now();
  const wish = { facility, country, currency, shipmentMethod, isFurtherPart, now, extended };
  const shipment = buildShipment(wanted, wish);
  return { ...part, order: { ...order, items, shipment: { ...shipment, id: order.shipment.id } } };
}
