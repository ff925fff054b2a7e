import { UserError } from '../graphql/run-mutation.ts';
import {
  type Draft,
  isWhole,
  type LineQuantity,
  remainingLines,
  serviceOf,
  splitOffLines,
} from './fulfillment-order-parts.ts';
import { toGid } from '../graphql/gid.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { FulfillmentOrder, Hold, Shop } from '../state.ts';
import type { Store } from '../store.ts';

const HOLDS_PER_APP = 10;
const HANDLE_LENGTH = 64;

/**
 * Puts a fulfillment order on hold. To hold only some lines, it first splits off the other lines. Throws the user errors of
 * FulfillmentOrderHoldUserErrorCode.
 */
export function holdFulfillmentOrder(
  store: Store,
  shop: Shop,
  draft: Draft,
  input: Omit<Hold, 'id'> & { lines?: readonly LineQuantity[] | null },
): { hold: Hold; remaining: FulfillmentOrder | null } {
  const { order, fulfillmentOrder } = draft;
  assertHoldable(shop, fulfillmentOrder, input);
  let remaining: FulfillmentOrder | null = null;
  if (!isWhole(fulfillmentOrder, input.lines)) {
    const rest = remainingLines(fulfillmentOrder).flatMap(({ id, quantity }) => {
      const left = quantity - (input.lines?.find((line) => line.id === id)?.quantity ?? 0);
      return left > 0 ? [{ id, quantity: left }] : [];
    });
    remaining = splitOffLines(store, draft, rest);
  }
  const { handle, reason, reasonNotes, heldByApp } = input;
  const hold: Hold = { id: store.newGid('FulfillmentHold'), handle, reason, reasonNotes, heldByApp };
  fulfillmentOrder.status = 'ON_HOLD';
  fulfillmentOrder.holds.push(hold);
  const body = {
    fulfillment_order: {
      id: fulfillmentOrder.id,
      status: 'on_hold',
      fulfillment_holds: fulfillmentOrder.holds.map(holdBrief),
    },
    remaining_fulfillment_order: remaining && fulfillmentOrderBrief(remaining),
    held_fulfillment_order_line_items: remainingLines(fulfillmentOrder),
    created_fulfillment_hold: holdBrief(hold),
  };
  saveOrder(store, order, [['fulfillment_orders/placed_on_hold', body]]);
  return { hold, remaining };
}

/** Returns a hold in the format of the webhook's body. */
function holdBrief(hold: Hold) {
  return {
    id: hold.id,
    reason: hold.reason.toLowerCase(),
    reason_notes: hold.reasonNotes,
    held_by_requesting_app: hold.heldByApp,
    handle: hold.handle,
    held_by_app: hold.heldByApp ? { id: toGid('App', 1) } : null,
  };
}

function assertHoldable(shop: Shop, fulfillmentOrder: FulfillmentOrder, input: Omit<Hold, 'id'>): void {
  const { status, requestStatus, holds } = fulfillmentOrder;
  const withService =
    serviceOf(shop, fulfillmentOrder) !== undefined && (requestStatus === 'SUBMITTED' || status === 'IN_PROGRESS');
  if (!['OPEN', 'IN_PROGRESS', 'ON_HOLD', 'SCHEDULED'].includes(status) || withService) {
    throw new UserError(['id'], 'The fulfillment order cannot be put on hold.');
  }
  if ((input.handle ?? '').length > HANDLE_LENGTH) {
    throw new UserError(['fulfillmentHold', 'handle'], `Handle is too long (maximum is ${HANDLE_LENGTH} characters)`);
  }
  const own = holds.filter((hold) => hold.heldByApp === input.heldByApp);
  if (own.length >= HOLDS_PER_APP) {
    throw new UserError(['id'], 'The maximum number of holds is reached.', 'FULFILLMENT_ORDER_HOLD_LIMIT_REACHED');
  }
  if (own.some((hold) => (hold.handle ?? '') === (input.handle ?? ''))) {
    const message = 'The handle provided for the fulfillment hold is already in use by this app.';
    throw new UserError(['fulfillmentHold', 'handle'], message, 'DUPLICATE_FULFILLMENT_HOLD_HANDLE');
  }
}

/**
 * Releases some or all holds of a fulfillment order. Releasing the last hold opens the fulfillment order, or schedules it if its
 * scheduled time is still in the future. Throws a user error if the fulfillment order is not on hold.
 */
export function releaseHolds(
  store: Store,
  { order, fulfillmentOrder }: Draft,
  holdIds?: readonly string[] | null,
): void {
  if (fulfillmentOrder.status !== 'ON_HOLD') throw new UserError(['id'], 'The fulfillment order is not on hold.');
  fulfillmentOrder.holds = holdIds ? fulfillmentOrder.holds.filter((hold) => !holdIds.includes(hold.id)) : [];
  if (fulfillmentOrder.holds.length > 0) {
    saveOrder(store, order, []);
    return;
  }
  const isLater =
    fulfillmentOrder.fulfillAt !== null && Date.parse(fulfillmentOrder.fulfillAt) > store.clock.now().getTime();
  fulfillmentOrder.status = isLater ? 'SCHEDULED' : 'OPEN';
  const { id, status } = fulfillmentOrderBrief(fulfillmentOrder);
  saveOrder(store, order, [['fulfillment_orders/hold_released', { fulfillment_order: { id, status } }]]);
}
