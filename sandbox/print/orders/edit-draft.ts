import { z } from 'zod';
import { shippingAddressSchema } from '../../../src/print/current/request-objects.ts';
import { parseOrRefuse, Refusal, type RefusalDetail } from '../../refusal.ts';
import { buildShipment } from '../production/build-shipment.ts';
import { findProduct } from '../catalog/find-product.ts';
import { chooseFacilities } from '../production/choose-facilities.ts';
import { toTimestamp, type Order, type OrderItem, type OrderRecord } from './order-record.ts';
import { priceItem } from './quote-products.ts';
import { findOrder, type StandIn } from '../stand-in.ts';

const editSchema = z
  .strictObject({
    items: z
      .array(z.strictObject({ itemReferenceId: z.string(), quantity: z.int().min(0) }))
      .min(1)
      .max(1000),
    shippingAddress: z.record(z.string(), z.unknown()),
  })
  .partial()
  .refine((edit) => Object.keys(edit).length > 0, 'items or shippingAddress is required');
type Edit = z.output<typeof editSchema>;

/**
 * Changes a draft through the control endpoint, as a person would in the dashboard. The input can change the quantities of items (0 removes
 * an item) and fields of the address. The draft's shipment and prices are then updated. Throws a `Refusal`: 409 for an order, if no items
 * would remain, or if the draft would have to be split.
 */
export function editDraft(standIn: StandIn, orderId: string, body: unknown): Order {
  const edit = parseOrRefuse(editSchema, body);
  const record = findOrder(standIn, null, orderId);
  if (record.order.orderType !== 'draft') {
    throw new Refusal(409, 'order_not_draft', 'Only orders of type draft can be edited.');
  }
  const edited = withShipment(standIn, withAddress(withQuantities(record, edit.items ?? []), edit.shippingAddress));
  standIn.books.put('orders', orderId, edited);
  return edited.order;
}

function withQuantities(record: OrderRecord, wanted: NonNullable<Edit['items']>): OrderRecord {
  const { order } = record;
  const details = wanted.flatMap(({ itemReferenceId }, index): RefusalDetail[] => {
    if (order.items.some((item) => item.itemReferenceId === itemReferenceId)) return [];
    const reference = `items[${index}].itemReferenceId`;
    return [{ message: `The order has no item ${itemReferenceId}.`, reference, code: 'unknown_item' }];
  });
  const [first] = details;
  if (first) throw new Refusal(400, 'invalid_request', `${first.reference}: ${first.message}`, details);
  const items = order.items
    .map((item) => ({ ...item, quantity: quantityOf(item, wanted) }))
    .filter(({ quantity }) => quantity > 0);
  if (items.length === 0) throw new Refusal(409, 'no_items', 'A draft needs an item. Delete the draft instead.');
  return { ...record, order: { ...order, items } };
}

function quantityOf(item: OrderItem, wanted: NonNullable<Edit['items']>): number {
  return wanted.findLast(({ itemReferenceId }) => itemReferenceId === item.itemReferenceId)?.quantity ?? item.quantity;
}

function withAddress(record: OrderRecord, changes: Edit['shippingAddress']): OrderRecord {
  if (!changes) return record;
  const { id, orderId, ...address } = record.order.shippingAddress;
  const known = Object.entries({ ...address, ...changes }).filter(([, value]) => value !== null && value !== '');
  const wanted = parseOrRefuse(shippingAddressSchema, Object.fromEntries(known));
  const emptied = Object.fromEntries(Object.keys(address).map((field) => [field, null]));
  return { ...record, order: { ...record.order, shippingAddress: { ...emptied, ...wanted, id, orderId } } };
}

function withShipment(standIn: StandIn, record: OrderRecord): OrderRecord {
  const { order, shipmentMethod } = record;
  const { country } = order.shippingAddress;
  const wanted = order.items.flatMap((item) => {
    const product = findProduct(item.productUid);
    return product ? [{ ...item, product }] : [];
  });
  const [share, ...further] = chooseFacilities(wanted, country);
  if (!share || further.length > 0) throw new Refusal(409, 'order_split', 'This draft would have to be split.');
  const { currency } = order;
  const wish = {
    facility: share.facility,
    country,
    currency,
    shipmentMethod,
    isFurtherPart: true,
    now: standIn.clock.now(),
  };
  const shipment = buildShipment(share.items, { ...wish, extended: standIn.extended });
  const items = share.items.map(({ product, ...item }) => ({
    ...item,
    price: priceItem({ ...item, product }, currency),
  }));
  const at = toTimestamp(standIn.clock.now().getTime());
  return { ...record, order: { ...order, items, updatedAt: at, shipment: { ...shipment, id: order.shipment.id } } };
}
