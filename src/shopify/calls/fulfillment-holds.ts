import type { AdminApi } from '../admin/admin-api.ts';
import { inHalves, sendBatch } from '../admin/batch.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  HoldFulfillmentOrderDocument,
  OrderHoldsDocument,
  ReleaseFulfillmentHoldDocument,
  TakeBackHoldsDocument,
} from '../generated/operations.ts';
import type { FulfillmentHoldReason } from '../generated/operations.ts';
import { readFulfillmentOrdersOf } from './orders.ts';

/** What tells the app's hold from those of others; an app has one hold of a handle on a fulfilment order. */
const HANDLE = 'platen';

interface Hold {
  id: string;
  handle: string | null;
  heldByRequestingApp: boolean;
}

/** The holds of a fulfilment order that this app has put on it itself. */
export function ownHolds<Own extends Hold>(holds: readonly Own[]): Own[] {
  return holds.filter(({ handle, heldByRequestingApp }) => heldByRequestingApp && handle === HANDLE);
}

/**
 * Puts a fulfilment order on hold, where its `supportedActions` has HOLD (scope `write_merchant_managed_fulfillment_orders` or
 * `write_third_party_fulfillment_orders`). One that has this app's hold already is a `user_error`. Returns the hold's id. Throws ShopifyError.
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

/** Releases holds of a fulfilment order by their ids, and no others. One that is not on hold any more is a `user_error`. Throws ShopifyError. */
export async function releaseFulfillmentHolds(admin: AdminApi, id: string, holdIds: string[]): Promise<void> {
  await admin.request(ReleaseFulfillmentHoldDocument, { id, holdIds });
}

/** Holds of one fulfilment order. */
export interface HoldsOf {
  /** The fulfilment order. */
  id: string;
  holdIds: string[];
}

/** Each costs ten points: 50 are half of what one call may cost. */
const RELEASES_A_CALL = 50;

/**
 * The holds that this app has put on the fulfilment orders of these orders, 100 at most, by order. One that the store does not show the app
 * is left out. Throws ShopifyError.
 */
export async function readOwnHolds(admin: AdminApi, orderIds: readonly string[]): Promise<Map<string, HoldsOf[]>> {
  const { nodes } = await admin.request(OrderHoldsDocument, { ids: [...orderIds] });
  const found = new Map<string, HoldsOf[]>();
  for (const node of nodes) {
    if (!node || !('fulfillmentOrders' in node)) continue;
    const { nodes: first, pageInfo } = node.fulfillmentOrders;
    const all = pageInfo.hasNextPage ? await readFulfillmentOrdersOf(admin, node.id) : first;
    const holds = all.map(({ id, fulfillmentHolds }) => ({
      id,
      holdIds: ownHolds(fulfillmentHolds).map((own) => own.id),
    }));
    found.set(
      node.id,
      holds.filter(({ holdIds }) => holdIds.length > 0),
    );
  }
  return found;
}

/**
 * Releases holds of many fulfilment orders, 50 in a call, and no others. Returns those that the store does not release: they are not on hold
 * any more, or not the app's to touch. Throws ShopifyError when a call is refused as a whole.
 */
export async function releaseManyHolds(admin: AdminApi, holds: readonly HoldsOf[]): Promise<ReadonlySet<HoldsOf>> {
  const refused = new Set<HoldsOf>();
  for (let start = 0; start < holds.length; start += RELEASES_A_CALL) {
    const failed = await inHalves(holds.slice(start, start + RELEASES_A_CALL), async (some) => {
      const answers = await sendBatch(admin, TakeBackHoldsDocument, some);
      some.forEach((one, at) => {
        if (answers[at]?.fulfillmentOrderReleaseHold?.complaints.length !== 0) refused.add(one);
      });
    });
    for (const one of failed.keys()) refused.add(one);
  }
  return refused;
}
