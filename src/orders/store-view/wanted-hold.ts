import { createHash } from 'node:crypto';
import type { Hold } from '../../database/entities/orders.ts';
import type { FulfillmentHoldReason } from '../../shopify/generated/operations.ts';
import { describeHolds, toHoldReason } from './describe-holds.ts';
import type { StoreView } from './store-view.ts';
import { readTold } from './told.ts';

/** A hold of ours as the store is to show it. */
export interface WantedHold {
  reason: FulfillmentHoldReason;
  reasonNotes: string;
  /** The fulfillment orders that it is about; empty: all. */
  fulfillmentOrderIds: string[];
}

/** A change of what the fulfillment orders of an order are held for. */
interface HoldChange {
  wanted: WantedHold | null;
  /** What identifies the wanted hold; empty: none. */
  why: string;
  /** The same of the hold before, and the holds of ours by the fulfillment order's id. */
  before: string;
  ids: Record<string, string>;
  /** There may be holds whose answer was lost. */
  isTried: boolean;
}

/** In characters: Shopify's limit for the notes of a hold. */
const LONGEST_NOTES = 255;
const SHIPPED = new Set(['shipped', 'shipped_no_tracking', 'fulfilled']);

/** How the holds of an order in the store are to change; null: they stay. */
export function toHoldChange(view: StoreView): HoldChange | null {
  const wanted = toWanted(view);
  const { why: before, ids, isTried = false } = readTold(view.storefrontOrder).holds ?? { why: '', ids: {} };
  // A hash: the notes may repeat words that are erased with the customer's data.
  const why = wanted === null ? '' : createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
  return why === before && !isTried ? null : { wanted, why, before, ids, isTried };
}

/** The hold in the store that the open holds are worth; null: none. */
function toWanted({ settings, holds, printOrders }: StoreView): WantedHold | null {
  if (!settings.holdsInStore) return null;
  const isShipped = ({ printOrderId }: Hold): boolean =>
    printOrders.some(({ id, state, shippedAt }) => id === printOrderId && (shippedAt !== null || SHIPPED.has(state)));
  const worth = holds.filter((hold) => toHoldReason(hold) !== null && !isShipped(hold));
  const [first] = worth;
  const reason = first && toHoldReason(first);
  if (!reason) return null;
  const about = worth.map((hold) => hold.shopifyFulfillmentOrderId);
  const fulfillmentOrderIds = about.every((id) => id !== null) ? [...new Set(about)] : [];
  return { reason, reasonNotes: describeHolds(worth, LONGEST_NOTES), fulfillmentOrderIds };
}
