import type { AdminApi } from '../shopify/admin/admin-api.ts';
import type { Fulfillment } from '../shopify/calls/fulfillments.ts';
import { NO_CODE } from '../orders/facts/say-codes.ts';
import { readOrderForPlan } from '../shopify/calls/orders.ts';

/** A tracking code as a fulfilment of the store bears it. */
export interface Tracking {
  company: string | null;
  number: string;
  url: string | null;
}

/** Units of one LineItem. */
export interface LineUnits {
  shopifyLineItemId: string;
  quantity: number;
}

/** A fulfilment that the store has, whoever made it. */
export interface StoreFulfillment {
  id: string;
  /** Not cancelled and not failed. */
  isLive: boolean;
  lines: LineUnits[];
  tracking: Tracking[];
}

/** Units of a LineItem that are left to fulfil in one fulfillment order. */
export interface OpenLine {
  id: string;
  fulfillmentOrderId: string;
  locationId: string | null;
  shopifyLineItemId: string;
  remaining: number;
  /** `waiting`: on hold, scheduled, not accepted yet, or not to be fulfilled for another reason. `elsewhere`: at another fulfilment service, which alone may fulfil it. */
  standing: 'open' | 'waiting' | 'elsewhere';
}

/** What a push must know of an order in the store. */
export interface StoreFulfillments {
  /** False when the store has no such order any more. */
  isThere: boolean;
  isCanceled: boolean;
  /** Units of each LineItem that the order still has. */
  ordered: ReadonlyMap<string, number>;
  openLines: OpenLine[];
  fulfillments: StoreFulfillment[];
}

const LIVE = new Set(['SUCCESS', 'OPEN', 'PENDING']);
const OPEN = new Set(['OPEN', 'IN_PROGRESS']);
const WAITING = new Set(['ON_HOLD', 'SCHEDULED']);

/** Reads what is fulfilled of an order and what is left, at one moment. `locationId`: our own fulfilment service's. Throws ShopifyError. */
export async function readStoreFulfillments(
  admin: AdminApi,
  shopifyOrderId: string,
  locationId: string | null,
): Promise<StoreFulfillments> {
  const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false });
  if (!order) return { isThere: false, isCanceled: false, ordered: new Map(), openLines: [], fulfillments: [] };
  const openLines = order.fulfillmentOrders.flatMap(
    ({ id: fulfillmentOrderId, status, requestStatus, supportedActions, assignedLocation, lines }) => {
      const { location } = assignedLocation;
      if (!OPEN.has(status) && !WAITING.has(status)) return [];
      const isElsewhere = location !== null && location.isFulfillmentService && location.id !== locationId;
      // What the service goes on making after a cancellation was rejected is shipped, whatever is offered there.
      const goesOn = status === 'IN_PROGRESS' && requestStatus === 'CANCELLATION_REJECTED';
      const isOffered = supportedActions.some(({ action }) => action === 'CREATE_FULFILLMENT');
      // A request that was not answered yet is accepted by the plan.
      const isOpen = OPEN.has(status) && requestStatus !== 'SUBMITTED' && (isOffered || goesOn);
      const standing = isElsewhere ? 'elsewhere' : isOpen ? 'open' : 'waiting';
      return lines
        .filter(({ remainingQuantity }) => remainingQuantity > 0)
        .map(({ id, remainingQuantity, lineItem }): OpenLine => {
          const shopifyLineItemId = lineItem.id;
          const remaining = remainingQuantity;
          return { id, fulfillmentOrderId, locationId: location?.id ?? null, shopifyLineItemId, remaining, standing };
        });
    },
  );
  const fulfillments = order.fulfillments
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
    .map(toStoreFulfillment);
  const ordered = new Map(order.lineItems.map(({ id, currentQuantity }) => [id, currentQuantity]));
  return { isThere: true, isCanceled: order.cancelledAt !== null, ordered, openLines, fulfillments };
}

/** A fulfilment as the store answers it. */
export function toStoreFulfillment({ id, status, lines, trackingInfo }: Fulfillment): StoreFulfillment {
  return {
    id,
    isLive: LIVE.has(status),
    lines: lines.map(({ lineItem, quantity }) => ({ shopifyLineItemId: lineItem.id, quantity: quantity ?? 0 })),
    tracking: trackingInfo.flatMap(({ company, number, url }) => (number ? [{ company, number, url }] : [])),
  };
}

/** Whether a fulfillment has a tracking code; without a code there is nothing to have. */
export function bears({ tracking }: Pick<StoreFulfillment, 'tracking'>, trackingCode: string): boolean {
  return trackingCode === NO_CODE || tracking.some(({ number }) => number === trackingCode);
}

/** Units of a LineItem that are left to fulfil, wherever they are. */
export function unitsLeft({ openLines }: StoreFulfillments, shopifyLineItemId: string): number {
  return openLines
    .filter((line) => line.shopifyLineItemId === shopifyLineItemId)
    .reduce((sum, { remaining }) => sum + remaining, 0);
}

/** Units of a LineItem that are fulfilled, whoever did it. */
export function unitsFulfilled({ fulfillments }: StoreFulfillments, shopifyLineItemId: string): number {
  return fulfillments
    .filter(({ isLive }) => isLive)
    .flatMap(({ lines }) => lines)
    .filter((line) => line.shopifyLineItemId === shopifyLineItemId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
