import type { AdminApi } from './admin-api.ts';
import { ShopifyError } from './errors.ts';
import { HoldFulfillmentOrderDocument, ReleaseFulfillmentHoldDocument } from './generated/operations.ts';
import type { FulfillmentHoldReason } from './generated/operations.ts';

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
