import { createHash } from 'node:crypto';
import type { Hold } from '../../database/entities/orders.ts';
import type { FulfillmentHoldReason } from '../../shopify/generated/operations.ts';
import { describeHolds, toHoldReason } from './describe-holds.ts';
import type { StoreView } from './store-view.ts';
import { readWrittenValues } from './written-values.ts';
import { isStateIn } from '../facts/order-state.ts';

/** One of Platen's holds, as it should appear in the store. */
export interface WantedHold {
  reason: FulfillmentHoldReason;
  reasonNotes: string;
  /** The fulfillment orders to hold. An empty list means all of them. */
  fulfillmentOrderIds: string[];
}

/** A change to the holds on an order's fulfillment orders. */
interface HoldChange {
  wanted: WantedHold | null;
  /** Identifies the hold that the store should show. Empty for no hold. */
  why: string;
  /** Identifies the previous hold. `ids` are the IDs of Platen's holds, by fulfillment order ID. */
  before: string;
  ids: Record<string, string>;
  /** Whether the store may have holds whose response was lost. */
  isTried: boolean;
}

/** Shopify's limit for a hold's notes, in characters. */
const MAX_NOTES_LENGTH = 255;

/** Computes the change to an order's holds in the store, or null if nothing changes. */
export function toHoldChange(view: StoreView): HoldChange | null {
  const wanted = toWantedHold(view);
  const { why: before, ids, isTried = false } = readWrittenValues(view.storefrontOrder).holds ?? { why: '', ids: {} };
  // The wanted hold is hashed, because its notes may contain text that must be erased with the customer data.
  const why = wanted === null ? '' : createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
  return why === before && !isTried ? null : { wanted, why, before, ids, isTried };
}

/** Computes the hold in the store that the order's open holds require, or null. */
function toWantedHold({ settings, holds, printOrders }: StoreView): WantedHold | null {
  if (!settings.holdsInStore) return null;
  const isShipped = ({ printOrderId }: Hold): boolean =>
    printOrders.some(
      ({ id, state, shippedAt }) => id === printOrderId && (shippedAt !== null || isStateIn(state, 'left')),
    );
  const worth = holds.filter((hold) => toHoldReason(hold) !== null && !isShipped(hold));
  const [first] = worth;
  const reason = first && toHoldReason(first);
  if (!reason) return null;
  const about = worth.map((hold) => hold.shopifyFulfillmentOrderId);
  const fulfillmentOrderIds = about.every((id) => id !== null) ? [...new Set(about)] : [];
  return { reason, reasonNotes: describeHolds(worth, MAX_NOTES_LENGTH), fulfillmentOrderIds };
}
