import type { AdminApi } from '../admin/admin-api.ts';
import { runInHalves, sendBatch } from '../admin/batch.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  HoldFulfillmentOrderDocument,
  OrderHoldsDocument,
  ReleaseFulfillmentHoldDocument,
  TakeBackHoldsDocument,
} from '../generated/operations.ts';
import type { FulfillmentHoldReason } from '../generated/operations.ts';
import { readFulfillmentOrdersOfOrder } from './orders.ts';

/** Identifies this app's hold. An app can have one hold per handle on a fulfillment order. */
const HANDLE = 'platen';

interface Hold {
  id: string;
  handle: string | null;
  heldByRequestingApp: boolean;
}

/** Returns a fulfillment order's holds that this app placed. */
export function filterOwnHolds<Own extends Hold>(holds: readonly Own[]): Own[] {
  return holds.filter(({ handle, heldByRequestingApp }) => heldByRequestingApp && handle === HANDLE);
}

/**
 * Puts a fulfillment order on hold if its `supportedActions` include HOLD (scope `write_merchant_managed_fulfillment_orders` or
 * `write_third_party_fulfillment_orders`). If the fulfillment order already has this app's hold, Shopify reports a `user_error`. Returns
 * the hold's ID. Throws ShopifyError.
 */
export async function holdFulfillmentOrder(
  admin: AdminApi,
  id: string,
  { reason, reasonNotes }: { reason: FulfillmentHoldReason; reasonNotes: string },
): Promise<string> {
  const fulfillmentHold = { handle: HANDLE, reason, reasonNotes, notifyMerchant: false };
  const data = await admin.request(HoldFulfillmentOrderDocument, { id, fulfillmentHold });
  const hold = data.fulfillmentOrderHold?.fulfillmentHold;
  if (hold) return hold.id;
  throw new ShopifyError('unavailable', {
    operation: HoldFulfillmentOrderDocument.name,
    effect: 'unknown',
    status: 200,
  });
}

/**
 * Releases only the given holds on a fulfillment order. If the fulfillment order is no longer on hold, Shopify reports a `user_error`.
 * Throws ShopifyError.
 */
export async function releaseFulfillmentHolds(admin: AdminApi, id: string, holdIds: string[]): Promise<void> {
  await admin.request(ReleaseFulfillmentHoldDocument, { id, holdIds });
}

/** The holds on one fulfillment order. */
export interface OwnHolds {
  /** The fulfillment order's ID. */
  id: string;
  holdIds: string[];
}

/** Each release costs ten points, so 50 releases use half of one call's maximum cost. */
const RELEASES_PER_CALL = 50;

/**
 * Reads the holds that this app placed on the fulfillment orders of these orders (at most 100), by order. Orders that the store does not
 * show to the app are omitted. Throws ShopifyError.
 */
export async function readOwnHolds(admin: AdminApi, orderIds: readonly string[]): Promise<Map<string, OwnHolds[]>> {
  const { nodes } = await admin.request(OrderHoldsDocument, { ids: [...orderIds] });
  const found = new Map<string, OwnHolds[]>();
  for (const node of nodes) {
    if (!node || !('fulfillmentOrders' in node)) continue;
    const { nodes: first, pageInfo } = node.fulfillmentOrders;
    const all = pageInfo.hasNextPage ? await readFulfillmentOrdersOfOrder(admin, node.id) : first;
    const holds = all.map(({ id, fulfillmentHolds }) => ({
      id,
      holdIds: filterOwnHolds(fulfillmentHolds).map((own) => own.id),
    }));
    found.set(
      node.id,
      holds.filter(({ holdIds }) => holdIds.length > 0),
    );
  }
  return found;
}

/**
 * Releases only the given holds on many fulfillment orders, 50 per call. Returns the holds that the store does not release, because they
 * are no longer in place or the app may not change them. Throws ShopifyError if a call is rejected as a whole.
 */
export async function releaseManyHolds(admin: AdminApi, holds: readonly OwnHolds[]): Promise<ReadonlySet<OwnHolds>> {
  const refused = new Set<OwnHolds>();
  for (let start = 0; start < holds.length; start += RELEASES_PER_CALL) {
    const failed = await runInHalves(holds.slice(start, start + RELEASES_PER_CALL), async (some) => {
      const answers = await sendBatch(admin, TakeBackHoldsDocument, some);
      some.forEach((one, at) => {
        if (answers[at]?.fulfillmentOrderReleaseHold?.complaints.length !== 0) refused.add(one);
      });
    });
    for (const one of failed.keys()) refused.add(one);
  }
  return refused;
}
