import { z } from 'zod';
import { listOf } from '../../../src/print/lengths.ts';
import { createOrderRequestSchema } from '../../../src/print/current/orders-v3.ts';
import { requireUniqueItems } from '../../../src/print/current/request-objects.ts';
import { buildOrder } from './build-order.ts';
import { buildShipment } from '../production/build-shipment.ts';
import { chooseFacilities, type Share, type WantedItem } from '../production/choose-facilities.ts';
import { listFacilitiesFor } from '../production/facilities.ts';
import { chargeOrder } from './payment.ts';
import { parseRequest } from '../parse-request.ts';
import type { Order, OrderFile, OrderRecord } from './order-record.ts';
import type { StandIn } from '../stand-in.ts';
import { toWantedItems } from './to-wanted-items.ts';

// The stand-in also accepts items with `files` instead of `fileUrl`. The documented interface does not mention this.
const itemSchema = createOrderRequestSchema.shape.items.element.extend({
  files: z.array(z.looseObject({ type: z.string().default('default'), url: z.url() })).optional(),
});
const requestSchema = createOrderRequestSchema.extend({
  items: listOf(itemSchema, 1).superRefine(requireUniqueItems),
});

/** The connection that places an order: the API or another connection of the same account. */
interface Origin {
  channel: string;
  storeId: string | null;
}

/**
 * Serves `POST /v3/orders` (docs/rules/print-interface.md#create-order): creates an order or a draft, even if an order with the same
 * reference exists. If no single facility can make all items, several connected orders are created, and the response contains the first of
 * them. Throws a `Refusal`.
 */
export function createOrder(
  standIn: StandIn,
  account: string,
  body: unknown,
  origin: Origin = { channel: 'api', storeId: null },
): Order {
  const request = parseRequest(requestSchema, body);
  const { country } = request.shippingAddress;
  const wanted = toWantedItems(request.items, country, {
    list: 'items',
    fileField: 'fileUrl',
    hasFile: (item) => filesOf(item).length > 0,
  });
  const items = wanted.map((item) => ({ ...item, files: filesOf(item.request) }));
  const shares = assignFacilities(items, country);
  const nowMs = standIn.clock.now().getTime();
  const orderIds = shares.map(() => standIn.ids.nextUuid());
  const records = shares.map(({ facility, items: made }, index): OrderRecord => {
    const shipmentMethod = request.shipmentMethodUid ?? null;
    const shipment = buildShipment(made, {
      facility,
      country,
      currency: request.currency,
      shipmentMethod,
      isFurtherPart: index > 0,
      now: new Date(nowMs),
      extended: standIn.extended,
    });
    const parts = { request, items: made, shipment, origin, nowMs };
    const connectedOrderIds = orderIds.length > 1 ? orderIds : [];
    const order = buildOrder(
      { ...parts, id: orderIds[index] ?? standIn.ids.nextUuid(), connectedOrderIds },
      standIn.ids,
    );
    return chargeOrder(standIn, { account, createdMs: nowMs, movedMs: nowMs, shipmentMethod, deleted: false, order });
  });
  standIn.books.write(records.map((record) => ['put', 'orders', record.order.id, record]));
  const [first] = records;
  if (!first) throw new Error('the order has no items');
  return first.order;
}

function filesOf(item: { fileUrl?: string | undefined; files?: OrderFile[] | undefined }): OrderFile[] {
  if (item.files && item.files.length > 0) return item.files;
  return item.fileUrl ? [{ type: 'default', url: item.fileUrl }] : [];
}

/** Assigns items to facilities. Each item with `producedSeparately` gets its own share, at another facility if possible. */
function assignFacilities<Item extends WantedItem>(items: readonly Item[], country: string): Share<Item>[] {
  const together = chooseFacilities(
    items.filter((item) => !item.product.producedSeparately),
    country,
  );
  const apart = items.filter((item) => item.product.producedSeparately);
  if (together.length === 0) return chooseFacilities(apart, country);
  const taken = together[0]?.facility.country;
  return [
    ...together,
    ...apart.flatMap((item) => {
      const makers = listFacilitiesFor(country).filter((facility) => item.product.madeIn.includes(facility.country));
      const facility = makers.find((maker) => maker.country !== taken) ?? makers[0];
      return facility ? [{ facility, items: [item] }] : [];
    }),
  ];
}
