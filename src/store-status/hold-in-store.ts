import type { App } from '../app.ts';
import { OrderLines, type OrderLine } from '../database/entities/orders.ts';
import type { HoldCode } from '../orders/facts/hold-codes.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { readTold } from '../orders/store-view/told.ts';
import { toHoldChange, type WantedHold } from '../orders/store-view/wanted-hold.ts';
import { LEFT_STATUSES, locationOf } from '../orders/facts/store-quantities.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { holdFulfillmentOrder, ownHolds, releaseFulfillmentHolds } from '../shopify/calls/fulfillment-holds.ts';
import type { FulfillmentOrder } from '../shopify/calls/fulfillment-orders.ts';
import { readFulfillmentOrdersOf } from '../shopify/calls/orders.ts';
import type { TellScope } from './tell-scope.ts';
import { keepTold } from './keep-told.ts';

/** A line that may be the merchant's own. */
const NOT_LINKED: HoldCode = 'not_linked';

/**
 * While something of an order waits for the merchant, its fulfillment orders of ours are on hold in the store too, where it takes a hold, and
 * released when nothing does any more. Set once for each reason: one that the merchant releases stays released. Holds of others are never
 * touched. Safe to repeat; what the store refuses is noted and left. Throws ShopifyError when the store cannot be asked.
 */
export async function holdInStore(scope: TellScope): Promise<void> {
  const change = toHoldChange(scope);
  if (!change) return;
  const { wanted, why, before, ids, isTried } = change;
  const admin = await scope.admin();
  const fulfillmentOrders = await readFulfillmentOrdersOf(admin, scope.storefrontOrder.shopifyOrderId);
  const ours = wanted === null ? [] : await findOurs(scope, fulfillmentOrders);
  const toHold = ours.filter(({ id }) => isAbout(wanted, id, ours));
  // Noted before the calls: a hold whose answer is lost is released too when its time is over.
  if (toHold.length > 0) await keepTold(scope, { holds: { why: before, ids, isTried: true } });
  const held: Record<string, string> = {};
  for (const fulfillmentOrder of fulfillmentOrders) {
    const isWanted = wanted !== null && toHold.includes(fulfillmentOrder);
    const kept = await settleOwn(scope, admin, fulfillmentOrder, isWanted ? wanted : null);
    if (kept !== null) held[fulfillmentOrder.id] = kept;
  }
  if (why === '' && Object.keys(ids).length === 0 && before === '' && !isTried) return;
  if (wanted !== null && Object.keys(held).length === 0)
    await note(scope, 'not_held_in_store', sayWhereShown(scope), { reason: wanted.reason });
  await keepTold(scope, { holds: { why, ids: held } });
}

/** An order in progress, or with lines that the merchant ships, takes no hold: the merchant learns of it elsewhere, or in Platen alone. */
function sayWhereShown({ settings: { tagsOrders, writesOrderMetafields } }: TellScope): string {
  const places = [
    'in Platen (its page in the store, "platen orders show")',
    ...(tagsOrders ? ['by the tag "platen: held"'] : []),
    ...(writesOrderMetafields ? ['in the metafield "hold" of the order'] : []),
  ];
  return `The store takes no hold of this fulfilment now: what it waits for is shown ${places.join(' and ')}.`;
}

/** A fulfillment order that was merged or moved has another id: then all are meant. */
function isAbout(wanted: WantedHold | null, id: string, ours: readonly FulfillmentOrder[]): boolean {
  const named = wanted?.fulfillmentOrderIds ?? [];
  return named.includes(id) || !ours.some((one) => named.includes(one.id));
}

/** Fulfillment orders with something left of which every line is ours: what the merchant ships himself is never held. */
async function findOurs(
  { app, shop, settings, storefrontOrder }: TellScope,
  fulfillmentOrders: readonly FulfillmentOrder[],
): Promise<FulfillmentOrder[]> {
  const lines = await app.db.manager.findBy(OrderLines, { storefrontOrderId: storefrontOrder.id });
  const isOurs = ({ decision, reason }: OrderLine): boolean => decision !== 'not_ours' && reason !== NOT_LINKED;
  const ours = new Set(lines.filter(isOurs).map(({ shopifyLineItemId }) => shopifyLineItemId));
  return fulfillmentOrders.filter((one) => {
    const location = locationOf(one, shop.locationId);
    if (location === 'other_service' || (location === 'merchant' && !settings.printsAtMerchantLocations)) return false;
    const left = one.lines.filter(({ remainingQuantity }) => remainingQuantity > 0);
    return LEFT_STATUSES.has(one.status) && left.length > 0 && left.every(({ lineItem }) => ours.has(lineItem.id));
  });
}

/** Makes our hold of one fulfillment order what it is to be; returns its id, null when there is none. */
async function settleOwn(
  scope: TellScope,
  admin: AdminApi,
  fulfillmentOrder: FulfillmentOrder,
  wanted: WantedHold | null,
): Promise<string | null> {
  const { id, fulfillmentHolds, supportedActions } = fulfillmentOrder;
  const own = ownHolds(fulfillmentHolds);
  const [known] = own;
  const isSame = known && known.reason === wanted?.reason && known.reasonNotes === wanted.reasonNotes;
  if (isSame) return known.id;
  if (own.length > 0) {
    const released = await unlessRefused(scope.app, id, () =>
      releaseFulfillmentHolds(
        admin,
        id,
        own.map((one) => one.id),
      ),
    );
    if (released !== null && wanted === null)
      await note(scope, 'released_in_store', 'The fulfilment is released in the store.', {
        shopifyFulfillmentOrderId: id,
      });
  }
  const mayHold = own.length > 0 || supportedActions.some(({ action }) => action === 'HOLD');
  if (wanted === null || !mayHold) return null;
  const { reason, reasonNotes } = wanted;
  const held = await unlessRefused(scope.app, id, () => holdFulfillmentOrder(admin, id, { reason, reasonNotes }));
  if (held === null) return null;
  await note(scope, 'held_in_store', 'The fulfilment is put on hold in the store.', {
    shopifyFulfillmentOrderId: id,
    reason,
  });
  return held;
}

/** What the store refuses, since it changed meanwhile or allows no hold, is no fault of the order. */
async function unlessRefused<Done>(app: App, id: string, call: () => Promise<Done>): Promise<Done | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ShopifyError) || (error.kind !== 'user_error' && error.kind !== 'access_denied'))
      throw error;
    app.log.warn({ operation: error.operation, kind: error.kind, id }, 'the store does not take this hold');
    return null;
  }
}

async function note(
  { app, shop, storefrontOrder }: TellScope,
  kind: string,
  message: string,
  data: Record<string, unknown>,
): Promise<void> {
  const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id };
  await writeTimeline(app.db.manager, { ...about, kind, message, data });
}

/**
 * Right before packages are pushed: what is shipped is fulfilled whatever it waited for, and is not held again for the same. Returns
 * whether the store has to be read again. Throws ShopifyError.
 */
export async function releaseBeforePush(
  scope: Pick<TellScope, 'app' | 'storefrontOrder'> & { admin: AdminApi },
): Promise<boolean> {
  const { why, ids } = readTold(scope.storefrontOrder).holds ?? { why: '', ids: {} };
  const held = Object.entries(ids);
  if (held.length === 0) return false;
  for (const [id, holdId] of held)
    await unlessRefused(scope.app, id, () => releaseFulfillmentHolds(scope.admin, id, [holdId]));
  await keepTold(scope, { holds: { why, ids: {} } });
  return true;
}
