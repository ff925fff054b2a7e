import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import type { Fulfillment } from '../shopify/calls/fulfillments.ts';
import { NO_TRACKING_CODE } from '../orders/facts/describe-tracking-codes.ts';
import { readOrderForPlan } from '../shopify/calls/orders.ts';
import { keepFence } from '../shops/fence.ts';

/** One tracking code on a fulfillment in the store. */
export interface Tracking {
  company: string | null;
  number: string;
  url: string | null;
}

/** Units of one line item. */
export interface LineUnits {
  shopifyLineItemId: string;
  quantity: number;
}

/** A fulfillment in the store, created by Platen or by others. */
export interface StoreFulfillment {
  id: string;
  /** Whether the fulfillment is neither canceled nor failed. */
  isActive: boolean;
  lines: LineUnits[];
  tracking: Tracking[];
}

/** Units of a line item that are left to fulfill in one fulfillment order. */
export interface OpenLine {
  id: string;
  fulfillmentOrderId: string;
  locationId: string | null;
  shopifyLineItemId: string;
  remaining: number;
  /** `waiting`: on hold, scheduled or not fulfillable now. `elsewhere`: only another fulfillment service may fulfill the line. */
  standing: 'open' | 'waiting' | 'elsewhere';
}

/** The data of an order in the store that a push needs. */
export interface StoreFulfillments {
  /** Whether the order still exists in the store. */
  isThere: boolean;
  isCanceled: boolean;
  /** Units of each line item that the order still has. */
  ordered: ReadonlyMap<string, number>;
  openLines: OpenLine[];
  fulfillments: StoreFulfillment[];
}

const ACTIVE = new Set(['SUCCESS', 'OPEN', 'PENDING']);
const OPEN = new Set(['OPEN', 'IN_PROGRESS']);
const WAITING = new Set(['ON_HOLD', 'SCHEDULED']);

/** Reads a snapshot of an order's fulfillments and remaining lines. Throws ShopifyError, and PlatenError `fenced_off`. */
export async function readStoreFulfillments(
  app: App,
  shop: Shop,
  admin: AdminApi,
  shopifyOrderId: string,
): Promise<StoreFulfillments> {
  const { locationId } = shop;
  const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false });
  if (order) await keepFence(app, shop, admin, order.fence);
  if (!order) return { isThere: false, isCanceled: false, ordered: new Map(), openLines: [], fulfillments: [] };
  const openLines = order.fulfillmentOrders.flatMap(
    ({ id: fulfillmentOrderId, status, requestStatus, supportedActions, assignedLocation, lines }) => {
      const { location } = assignedLocation;
      if (!OPEN.has(status) && !WAITING.has(status)) return [];
      const isElsewhere = location !== null && location.isFulfillmentService && location.id !== locationId;
      // If the store's cancellation request was rejected, the print service still ships the order, regardless of the actions that the store
      // offers.
      const isStillShipped = status === 'IN_PROGRESS' && requestStatus === 'CANCELLATION_REJECTED';
      const isOffered = supportedActions.some(({ action }) => action === 'CREATE_FULFILLMENT');
      // The lines of a submitted fulfillment request can be fulfilled only after the plan has accepted the request.
      const isOpen = OPEN.has(status) && requestStatus !== 'SUBMITTED' && (isOffered || isStillShipped);
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

/** Converts a fulfillment from the store's response. */
export function toStoreFulfillment({ id, status, lines, trackingInfo }: Fulfillment): StoreFulfillment {
  return {
    id,
    isActive: ACTIVE.has(status),
    lines: lines.map(({ lineItem, quantity }) => ({ shopifyLineItemId: lineItem.id, quantity: quantity ?? 0 })),
    tracking: trackingInfo.flatMap(({ company, number, url }) => (number ? [{ company, number, url }] : [])),
  };
}

/** Returns whether a fulfillment has a tracking code. A package without a code always matches. */
export function hasTrackingCode({ tracking }: Pick<StoreFulfillment, 'tracking'>, trackingCode: string): boolean {
  return trackingCode === NO_TRACKING_CODE || tracking.some(({ number }) => number === trackingCode);
}

/** Counts a line item's units that are left to fulfill at any location. */
export function countUnitsLeft({ openLines }: StoreFulfillments, shopifyLineItemId: string): number {
  return openLines
    .filter((line) => line.shopifyLineItemId === shopifyLineItemId)
    .reduce((sum, { remaining }) => sum + remaining, 0);
}

/** Counts a line item's units that Platen or others have fulfilled. */
export function countUnitsFulfilled({ fulfillments }: StoreFulfillments, shopifyLineItemId: string): number {
  return fulfillments
    .filter(({ isActive }) => isActive)
    .flatMap(({ lines }) => lines)
    .filter((line) => line.shopifyLineItemId === shopifyLineItemId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
