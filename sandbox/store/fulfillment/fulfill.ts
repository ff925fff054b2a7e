import { UserError } from '../graphql/run-mutation.ts';
import { type Draft, draftFulfillmentOrder, type LineQuantity, remainingLines } from './fulfillment-order-parts.ts';
import { toNumericId } from '../graphql/gid.ts';
import type { Fulfillment, FulfillmentLine, FulfillmentOrder, Order, Shop, Tracking } from '../state.ts';
import type { Store } from '../store.ts';
import { supportedActions } from './supported-actions.ts';

export interface TrackingInput {
  company?: string | null;
  number?: string | null;
  numbers?: string[] | null;
  url?: string | null;
  urls?: string[] | null;
}

/** The lines of a fulfillment order to ship. If no lines are given, all remaining units are shipped. */
export interface FulfillmentPart {
  fulfillmentOrderId: string;
  fulfillmentOrderLineItems?: LineQuantity[] | null;
}

/**
 * Returns a draft of the order with a new fulfillment. Like the real API, throws a user error if the fulfillment orders belong to several
 * orders or locations, if a status or request status forbids the fulfillment, or if fewer units remain than requested.
 */
export function fulfill(
  store: Store,
  shop: Shop,
  input: { parts: readonly FulfillmentPart[]; tracking: Tracking[]; notifyCustomer: boolean },
): { order: Order; fulfillment: Fulfillment } {
  const { order, drafts } = draftFulfillmentOrders(store, shop, input.parts);
  const [first] = drafts;
  if (!order || !first) throw new UserError(['fulfillment'], 'Line items by fulfillment order is required.');
  for (const { fulfillmentOrder } of drafts) assertFulfillable(shop, fulfillmentOrder);
  const fulfillment: Fulfillment = {
    ...createFulfillment(store, order, first.fulfillmentOrder.locationId),
    tracking: input.tracking,
    notifications: input.notifyCustomer ? 1 : 0,
    lines: drafts.flatMap(({ fulfillmentOrder, lines }) => fulfillLines(store, fulfillmentOrder, lines)),
  };
  order.fulfillments.push(fulfillment);
  return { order, fulfillment };
}

/** Returns the fulfillment orders to ship from, all in the same draft of their order. */
function draftFulfillmentOrders(store: Store, shop: Shop, parts: readonly FulfillmentPart[]) {
  const drafts: (Pick<Draft, 'fulfillmentOrder'> & { lines: LineQuantity[] })[] = [];
  let order: Order | undefined;
  for (const part of parts) {
    const draft = draftFulfillmentOrder(store, shop, part.fulfillmentOrderId, ['fulfillment']);
    order ??= draft.order;
    const fulfillmentOrder = order.fulfillmentOrders.find(({ id }) => id === part.fulfillmentOrderId);
    if (!fulfillmentOrder)
      throw new UserError(['fulfillment'], 'All fulfillment orders must belong to the same order.');
    if (fulfillmentOrder.locationId !== (drafts[0]?.fulfillmentOrder ?? fulfillmentOrder).locationId) {
      throw new UserError(['fulfillment'], 'All fulfillment orders must be assigned to the same location.');
    }
    const lines = part.fulfillmentOrderLineItems?.length
      ? part.fulfillmentOrderLineItems
      : remainingLines(fulfillmentOrder);
    drafts.push({ fulfillmentOrder, lines });
  }
  return { order, drafts };
}

function createFulfillment(store: Store, order: Order, locationId: string): Fulfillment {
  const now = store.clock.now().toISOString();
  return {
    id: store.newGid('Fulfillment'),
    name: `${order.name}-F${order.fulfillments.length + 1}`,
    status: 'SUCCESS',
    createdAt: now,
    updatedAt: now,
    locationId,
    tracking: [],
    notifications: 0,
    lines: [],
    events: [],
  };
}

function fulfillLines(
  store: Store,
  fulfillmentOrder: FulfillmentOrder,
  lines: readonly LineQuantity[],
): FulfillmentLine[] {
  const taken = lines.map(({ id, quantity }): FulfillmentLine => {
    const line = fulfillmentOrder.lines.find((one) => one.id === id);
    if (!line || quantity < 1 || quantity > line.remainingQuantity) {
      throw new UserError(['fulfillment'], 'Invalid fulfillment order line item quantity requested.');
    }
    line.remainingQuantity -= quantity;
    return {
      id: store.newGid('FulfillmentLineItem'),
      lineItemId: line.lineItemId,
      fulfillmentOrderId: fulfillmentOrder.id,
      fulfillmentOrderLineId: line.id,
      quantity,
    };
  });
  const done = fulfillmentOrder.lines.every((line) => line.remainingQuantity === 0);
  fulfillmentOrder.status = done ? 'CLOSED' : 'IN_PROGRESS';
  return taken;
}

function assertFulfillable(shop: Shop, fulfillmentOrder: FulfillmentOrder): void {
  const { id, status, requestStatus } = fulfillmentOrder;
  if (supportedActions(shop, fulfillmentOrder).includes('CREATE_FULFILLMENT')) return;
  const open = status === 'OPEN' || status === 'IN_PROGRESS';
  const why = open ? `request status= ${requestStatus.toLowerCase()}` : `status= ${status.toLowerCase()}`;
  throw new UserError(['fulfillment'], `Fulfillment order ${toNumericId(id)} has an unfulfillable ${why}.`);
}

/** Pairs codes and URLs by position and adds the company to each. */
export function toTracking(input: TrackingInput | null | undefined): Tracking[] {
  if (!input) return [];
  const numbers = input.numbers?.length ? input.numbers : [input.number ?? null];
  const urls = input.urls?.length ? input.urls : [input.url ?? null];
  const company = input.company ?? null;
  return Array.from({ length: Math.max(numbers.length, urls.length) }, (_, index) => ({
    company,
    number: numbers[index] ?? null,
    url: urls[index] ?? null,
  })).filter((tracking) => tracking.number !== null || tracking.url !== null || tracking.company !== null);
}

/** Fulfills all remaining units of an order without tracking, with one fulfillment for each fulfillment order. */
export function fulfillAll(store: Store, order: Order): Order {
  const draft = structuredClone(order);
  for (const fulfillmentOrder of draft.fulfillmentOrders) {
    draft.fulfillments.push({
      ...createFulfillment(store, draft, fulfillmentOrder.locationId),
      lines: fulfillLines(store, fulfillmentOrder, remainingLines(fulfillmentOrder)),
    });
  }
  return draft;
}
