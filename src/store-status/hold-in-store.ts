import type { App } from '../app.ts';
import { OrderLines, type OrderLine } from '../database/entities/orders.ts';
import type { HoldCode } from '../orders/facts/hold-codes.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { readWrittenValues } from '../orders/store-view/written-values.ts';
import { toHoldChange, type WantedHold } from '../orders/store-view/to-hold-change.ts';
import { isAtPrintLocation, UNFULFILLED_STATUSES } from '../orders/facts/store-quantities.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { holdFulfillmentOrder, filterOwnHolds, releaseFulfillmentHolds } from '../shopify/calls/fulfillment-holds.ts';
import type { FulfillmentOrder } from '../shopify/calls/fulfillment-orders.ts';
import { readFulfillmentOrdersOfOrder } from '../shopify/calls/orders.ts';
import type { UpdateScope } from './update-scope.ts';
import { saveWrittenValues } from './save-written-values.ts';

/** The hold for a line that may be the merchant's own stock. */
const NOT_LINKED: HoldCode = 'not_linked';

/**
 * Holds an order's fulfillment orders in the store while the order is waiting for the merchant, if the store allows it, and releases them
 * afterward. Sets a hold once per reason, so a hold that the merchant releases stays released. Never changes other parties' holds. Notes
 * the store's refusals. Safe to repeat. Throws ShopifyError if the store cannot be reached.
 */
export async function holdInStore(scope: UpdateScope): Promise<void> {
  const change = toHoldChange(scope);
  if (!change) return;
  const { wanted, why, before, ids, isTried } = change;
  const admin = await scope.admin();
  const fulfillmentOrders = await readFulfillmentOrdersOfOrder(admin, scope.storefrontOrder.shopifyOrderId);
  const ours = wanted === null ? [] : await findPrintedOnly(scope, fulfillmentOrders);
  const toHold = ours.filter(({ id }) => appliesTo(wanted, id, ours));
  // The attempt is recorded before the requests, so that even a hold whose response is lost is released later.
  if (toHold.length > 0) await saveWrittenValues(scope, { holds: { why: before, ids, isTried: true } });
  const held: Record<string, string> = {};
  for (const fulfillmentOrder of fulfillmentOrders) {
    const isWanted = wanted !== null && toHold.includes(fulfillmentOrder);
    const kept = await updateOwnHold(scope, admin, fulfillmentOrder, isWanted ? wanted : null);
    if (kept !== null) held[fulfillmentOrder.id] = kept;
  }
  if (why === '' && Object.keys(ids).length === 0 && before === '' && !isTried) return;
  if (wanted !== null && Object.keys(held).length === 0)
    await recordHold(scope, 'not_held_in_store', describeWhereShown(scope), { reason: wanted.reason });
  await saveWrittenValues(scope, { holds: { why, ids: held } });
}

/**
 * Explains where else the reason is shown if the store cannot hold a fulfillment because it is in progress or includes the merchant's
 * lines.
 */
function describeWhereShown({ settings: { tagsOrders, writesOrderMetafields } }: UpdateScope): string {
  const places = [
    'in Platen',
    ...(tagsOrders ? ['by the tag "platen: held"'] : []),
    ...(writesOrderMetafields ? ['in the order\'s metafield "hold"'] : []),
  ];
  return `This fulfillment cannot currently be put on hold in the store. The reason for the wait is shown ${places.join(' and ')}.`;
}

/**
 * Returns whether the hold applies to a fulfillment order. After a merge or move has changed the IDs, the hold applies to all of the
 * order's fulfillment orders.
 */
function appliesTo(wanted: WantedHold | null, id: string, ours: readonly FulfillmentOrder[]): boolean {
  const named = wanted?.fulfillmentOrderIds ?? [];
  return named.includes(id) || !ours.some((one) => named.includes(one.id));
}

/** Finds unfinished fulfillment orders that contain only lines printed by Platen. Lines that the merchant ships are never held. */
async function findPrintedOnly(
  { app, shop, settings, storefrontOrder }: UpdateScope,
  fulfillmentOrders: readonly FulfillmentOrder[],
): Promise<FulfillmentOrder[]> {
  const lines = await app.db.manager.findBy(OrderLines, { storefrontOrderId: storefrontOrder.id });
  const isOurs = ({ decision, reason }: OrderLine): boolean => decision !== 'not_ours' && reason !== NOT_LINKED;
  const ours = new Set(lines.filter(isOurs).map(({ shopifyLineItemId }) => shopifyLineItemId));
  return fulfillmentOrders.filter((one) => {
    const { printsAtMerchantLocations } = settings;
    if (!isAtPrintLocation(one, { ...shop, printsAtMerchantLocations })) return false;
    const left = one.lines.filter(({ remainingQuantity }) => remainingQuantity > 0);
    return (
      UNFULFILLED_STATUSES.has(one.status) && left.length > 0 && left.every(({ lineItem }) => ours.has(lineItem.id))
    );
  });
}

/** Sets, changes or releases Platen's hold on one fulfillment order. Returns the hold's ID, or null for no hold. */
async function updateOwnHold(
  scope: UpdateScope,
  admin: AdminApi,
  fulfillmentOrder: FulfillmentOrder,
  wanted: WantedHold | null,
): Promise<string | null> {
  const { id, fulfillmentHolds, supportedActions } = fulfillmentOrder;
  const own = filterOwnHolds(fulfillmentHolds);
  const [known] = own;
  const isSame = known && known.reason === wanted?.reason && known.reasonNotes === wanted.reasonNotes;
  if (isSame) return known.id;
  if (own.length > 0) {
    const released = await callUnlessRefused(scope.app, id, () =>
      releaseFulfillmentHolds(
        admin,
        id,
        own.map((one) => one.id),
      ),
    );
    if (released !== null && wanted === null)
      await recordHold(scope, 'released_in_store', 'The fulfillment was released in the store.', {
        shopifyFulfillmentOrderId: id,
      });
  }
  const mayHold = own.length > 0 || supportedActions.some(({ action }) => action === 'HOLD');
  if (wanted === null || !mayHold) return null;
  const { reason, reasonNotes } = wanted;
  const held = await callUnlessRefused(scope.app, id, () => holdFulfillmentOrder(admin, id, { reason, reasonNotes }));
  if (held === null) return null;
  await recordHold(scope, 'held_in_store', 'The fulfillment was put on hold in the store.', {
    shopifyFulfillmentOrderId: id,
    reason,
  });
  return held;
}

/**
 * Returns null if the store refuses the request because the fulfillment order has since changed or does not allow holds. A refusal is not
 * an error.
 */
async function callUnlessRefused<Done>(app: App, id: string, call: () => Promise<Done>): Promise<Done | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ShopifyError) || (error.kind !== 'user_error' && error.kind !== 'access_denied'))
      throw error;
    app.log.warn(
      { operation: error.operation, kind: error.kind, id },
      'the store refused to set, change or release a hold',
    );
    return null;
  }
}

async function recordHold(
  { app, shop, storefrontOrder }: UpdateScope,
  kind: string,
  message: string,
  data: Record<string, unknown>,
): Promise<void> {
  const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id };
  await writeTimeline(app.db.manager, { ...about, kind, message, data });
}

/**
 * Releases holds right before packages are pushed, because shipped items are fulfilled even if the reason for the hold remains. The items
 * are not held again for the same reason. Returns whether the store must be read again. Throws ShopifyError.
 */
export async function releaseBeforePush(
  scope: Pick<UpdateScope, 'app' | 'storefrontOrder'> & { admin: AdminApi },
): Promise<boolean> {
  const { why, ids } = readWrittenValues(scope.storefrontOrder).holds ?? { why: '', ids: {} };
  const held = Object.entries(ids);
  if (held.length === 0) return false;
  for (const [id, holdId] of held)
    await callUnlessRefused(scope.app, id, () => releaseFulfillmentHolds(scope.admin, id, [holdId]));
  await saveWrittenValues(scope, { holds: { why, ids: {} } });
  return true;
}
