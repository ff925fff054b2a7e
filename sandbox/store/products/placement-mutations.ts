import { runMutation } from '../graphql/run-mutation.ts';
import { draftFulfillmentOrder, type LineQuantity } from '../fulfillment/fulfillment-order-parts.ts';
import { holdView } from '../fulfillment/fulfillment-order-view.ts';
import { holdFulfillmentOrder, releaseHolds } from '../fulfillment/hold-fulfillment-order.ts';
import { type MergeIntent, mergeFulfillmentOrders } from '../fulfillment/merge-fulfillment-orders.ts';
import { moveFulfillmentOrder } from '../fulfillment/move-fulfillment-order.ts';
import { rescheduleFulfillmentOrder } from '../fulfillment/schedule-fulfillment-orders.ts';
import { splitFulfillmentOrder } from '../fulfillment/split-fulfillment-order.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

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

interface MergeArguments {
  fulfillmentOrderMergeInputs: { mergeIntents: MergeIntent[] }[];
}

/** Returns the mutations that hold, move, split, merge and reschedule fulfillment orders. */
export function placementMutations(views: Views): View {
  const { store, shop } = views;
  return {
    fulfillmentOrderHold: ({ id, fulfillmentHold: input }: HoldArguments) =>
      runMutation(['fulfillmentHold', 'fulfillmentOrder', 'remainingFulfillmentOrder'], () => {
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
      runMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        releaseHolds(store, draft, holdIds);
        return { fulfillmentOrder: views.fulfillmentOrder(draft.order, draft.fulfillmentOrder) };
      }),
    fulfillmentOrderMove: ({ id, newLocationId, fulfillmentOrderLineItems }: MoveArguments) =>
      runMutation(['movedFulfillmentOrder', 'originalFulfillmentOrder', 'remainingFulfillmentOrder'], () => {
        const { order, moved, original } = moveFulfillmentOrder(store, shop, draftFulfillmentOrder(store, shop, id), {
          locationId: newLocationId,
          lines: fulfillmentOrderLineItems ?? null,
        });
        return {
          movedFulfillmentOrder: views.fulfillmentOrder(order, moved),
          originalFulfillmentOrder: views.fulfillmentOrder(order, original),
        };
      }),
    fulfillmentOrderSplit: ({ fulfillmentOrderSplits }: SplitArguments) =>
      runMutation(['fulfillmentOrderSplits'], () => ({
        fulfillmentOrderSplits: fulfillmentOrderSplits.map(({ fulfillmentOrderId, fulfillmentOrderLineItems }) => {
          const draft = draftFulfillmentOrder(store, shop, fulfillmentOrderId, ['fulfillmentOrderSplits']);
          const { order, remaining } = splitFulfillmentOrder(store, shop, draft, fulfillmentOrderLineItems);
          return {
            fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder),
            remainingFulfillmentOrder: views.fulfillmentOrder(order, remaining),
            replacementFulfillmentOrder: null,
          };
        }),
      })),
    fulfillmentOrderMerge: ({ fulfillmentOrderMergeInputs }: MergeArguments) =>
      runMutation(['fulfillmentOrderMerges'], () => ({
        fulfillmentOrderMerges: fulfillmentOrderMergeInputs.map(({ mergeIntents }) => {
          const { order, merged } = mergeFulfillmentOrders(store, shop, mergeIntents);
          return { fulfillmentOrder: views.fulfillmentOrder(order, merged) };
        }),
      })),
    fulfillmentOrderReschedule: ({ id, fulfillAt }: { id: string; fulfillAt: string }) =>
      runMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        const order = rescheduleFulfillmentOrder(store, draft, fulfillAt);
        return { fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder) };
      }),
  };
}
