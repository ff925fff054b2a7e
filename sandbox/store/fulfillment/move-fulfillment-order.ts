import { UserError } from '../graphql/run-mutation.ts';
import {
  type Draft,
  isWhole,
  isWithService,
  type LineQuantity,
  remainingLines,
  splitOffLines,
} from './fulfillment-order-parts.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { FulfillmentOrder, FulfillmentOrderLine, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Moves a fulfillment order to another location. If only some lines move, they are put into a new fulfillment order at that location.
 * Throws a user error for an unknown location, or for a fulfillment order that is closed, has reported progress, or was requested from its
 * service.
 */
export function moveFulfillmentOrder(
  store: Store,
  shop: Shop,
  draft: Draft,
  input: { locationId: string; lines?: readonly LineQuantity[] | null },
): { order: Order; moved: FulfillmentOrder; original: FulfillmentOrder } {
  const { order, fulfillmentOrder: original } = draft;
  const location = shop.locations.find(({ id, isActive }) => id === input.locationId && isActive);
  if (!location) throw new UserError(['newLocationId'], 'Location not found.');
  if (original.progressNotes !== undefined && original.status === 'IN_PROGRESS' && !isWithService(shop, original)) {
    throw new UserError(['id'], 'Cannot move a fulfillment order that has progress reported.');
  }
  if (!['OPEN', 'ON_HOLD', 'SCHEDULED'].includes(original.status) || isWithService(shop, original)) {
    throw new UserError(['id'], 'Cannot change location for the fulfillment order.');
  }
  const source = original.locationId;
  const whole = isWhole(original, input.lines) && original.lines.every(isUntouched);
  const lines = input.lines?.length ? input.lines : remainingLines(original);
  const moved = whole ? original : splitOffLines(store, draft, lines, location.id);
  moved.locationId = location.id;
  moved.requestStatus = 'UNSUBMITTED';
  if (original.lines.every((line) => line.remainingQuantity === 0)) original.status = 'CLOSED';
  const body = {
    original_fulfillment_order: { ...fulfillmentOrderBrief(original), assigned_location_id: original.locationId },
    moved_fulfillment_order: { ...fulfillmentOrderBrief(moved), assigned_location_id: location.id },
    destination_location_id: location.id,
    fulfillment_order_line_items_requested: lines,
    source_location: { id: source },
  };
  return { order: saveOrder(store, order, [['fulfillment_orders/moved', body]]), moved, original };
}

function isUntouched({ totalQuantity, remainingQuantity }: FulfillmentOrderLine): boolean {
  return totalQuantity === remainingQuantity;
}
