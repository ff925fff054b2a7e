import { answerMutation, UserError } from './answer-mutation.ts';
import {
  draftFulfillmentOrder,
  isWhole,
  type LineQuantity,
  remainingLines,
  serviceOf,
  splitOff,
} from './fulfillment-order-parts.ts';
import { holdView } from './fulfillment-order-view.ts';
import { holdFulfillmentOrder, releaseHolds } from './hold-fulfillment-order.ts';
import { fulfillmentOrderBrief, saveOrder } from './save-order.ts';
import type { View } from './view.ts';
import type { Views } from './views.ts';

interface HoldArguments {
  id: string;
  fulfillmentHold: {
    reason: string;
    reasonNotes?: string | null;
    handle?: string | null;
    fulfillmentOrderLineItems?: LineQuantity[] | null;
  };
}

interface MoveArguments {
  id: string;
  newLocationId: string;
  fulfillmentOrderLineItems?: LineQuantity[] | null;
}

interface SplitArguments {
  fulfillmentOrderSplits: { fulfillmentOrderId: string; fulfillmentOrderLineItems: LineQuantity[] }[];
}

/** The mutations that hold, move and split fulfillment orders. */
export function placementMutations(views: Views): View {
  const { store, shop } = views;
  return {
    fulfillmentOrderHold: ({ id, fulfillmentHold: input }: HoldArguments) =>
      answerMutation(['fulfillmentHold', 'fulfillmentOrder', 'remainingFulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        const { hold, remaining } = holdFulfillmentOrder(store, shop, draft, {
          handle: input.handle ?? null,
          reason: input.reason,
          reasonNotes: input.reasonNotes ?? null,
          heldByApp: true,
          lines: input.fulfillmentOrderLineItems ?? null,
        });
        return {
          fulfillmentHold: holdView(hold),
          fulfillmentOrder: views.fulfillmentOrder(draft.order, draft.fulfillmentOrder),
          remainingFulfillmentOrder: remaining && views.fulfillmentOrder(draft.order, remaining),
        };
      }),
    fulfillmentOrderReleaseHold: ({ id, holdIds }: { id: string; holdIds?: string[] | null }) =>
      answerMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        releaseHolds(store, draft, holdIds);
        return { fulfillmentOrder: views.fulfillmentOrder(draft.order, draft.fulfillmentOrder) };
      }),
    fulfillmentOrderMove: (input: MoveArguments) =>
      answerMutation(['movedFulfillmentOrder', 'originalFulfillmentOrder', 'remainingFulfillmentOrder'], () =>
        moveFulfillmentOrder(views, input),
      ),
    fulfillmentOrderSplit: ({ fulfillmentOrderSplits }: SplitArguments) =>
      answerMutation(['fulfillmentOrderSplits'], () => ({
        fulfillmentOrderSplits: fulfillmentOrderSplits.map((split) => splitFulfillmentOrder(views, split)),
      })),
  };
}

/** Whole, the fulfillment order itself goes to the new location; in part, its lines come into a new one there. */
function moveFulfillmentOrder(views: Views, input: MoveArguments): View {
  const { store, shop } = views;
  const draft = draftFulfillmentOrder(store, shop, input.id);
  const { order, fulfillmentOrder: original } = draft;
  const location = shop.locations.find(({ id, isActive }) => id === input.newLocationId && isActive);
  if (!location) throw new UserError(['newLocationId'], 'Location not found.');
  const withService = ['SUBMITTED', 'ACCEPTED', 'CANCELLATION_REQUESTED', 'CANCELLATION_REJECTED'];
  if (original.status !== 'OPEN' || (serviceOf(shop, original) && withService.includes(original.requestStatus))) {
    throw new UserError(['id'], 'Cannot change location for the fulfillment order.');
  }
  const source = original.locationId;
  const whole = isWhole(original, input.fulfillmentOrderLineItems) && original.lines.every(isUntouched);
  const lines = input.fulfillmentOrderLineItems?.length ? input.fulfillmentOrderLineItems : remainingLines(original);
  const moved = whole ? original : splitOff(store, draft, lines, location.id);
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
  const saved = saveOrder(store, order, [['fulfillment_orders/moved', body]]);
  return {
    movedFulfillmentOrder: views.fulfillmentOrder(saved, moved),
    originalFulfillmentOrder: views.fulfillmentOrder(saved, original),
  };
}

function isUntouched(line: { totalQuantity: number; remainingQuantity: number }): boolean {
  return line.totalQuantity === line.remainingQuantity;
}

function splitFulfillmentOrder(views: Views, split: SplitArguments['fulfillmentOrderSplits'][number]): View {
  const draft = draftFulfillmentOrder(views.store, views.shop, split.fulfillmentOrderId);
  const { order, fulfillmentOrder } = draft;
  if (fulfillmentOrder.status !== 'OPEN' || isWhole(fulfillmentOrder, split.fulfillmentOrderLineItems)) {
    throw new UserError(
      ['fulfillmentOrderSplits'],
      'The fulfillment order cannot be split so.',
      'FULFILLMENT_ORDER_NOT_FOUND',
    );
  }
  const remaining = splitOff(views.store, draft, split.fulfillmentOrderLineItems);
  const body = {
    split_line_items: split.fulfillmentOrderLineItems,
    fulfillment_order: fulfillmentOrderBrief(fulfillmentOrder),
    remaining_fulfillment_order: fulfillmentOrderBrief(remaining),
    replacement_fulfillment_order: null,
  };
  const saved = saveOrder(views.store, order, [['fulfillment_orders/split', body]]);
  return {
    fulfillmentOrder: views.fulfillmentOrder(saved, fulfillmentOrder),
    remainingFulfillmentOrder: views.fulfillmentOrder(saved, remaining),
    replacementFulfillmentOrder: null,
  };
}
