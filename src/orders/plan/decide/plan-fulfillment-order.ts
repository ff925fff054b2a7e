import { countUnfulfilledUnits, countToPrint } from './count-to-print.ts';
import type { HoldCode } from '../../facts/hold-codes.ts';
import type { OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { Plan, PlanInput, PlannedHold, PlannedItem, PlannedLine } from './plan.ts';
import {
  isAtPrintLocation,
  isHeldByOthers,
  countLeftToFulfill,
  locationOf,
  toLinkKey,
} from '../../facts/store-quantities.ts';
import { findPrintFile } from './read-print-file.ts';
import { toRejection } from './to-rejection.ts';
import type { StoreFulfillmentOrder } from '../../facts/store-reading.ts';

const NOT_LINKED: HoldCode = 'not_linked';
const OPEN_STATUSES = new Set(['OPEN', 'IN_PROGRESS']);

/** A fulfillment order's line that has units left to fulfill and is not `not_ours`. */
export interface OpenLine {
  planned: PlannedLine;
  remaining: number;
  /** All units of the line, including fulfilled ones. */
  total: number;
}

/**
 * Adds one fulfillment order to `plan`. Returns why the fulfillment order is waiting, or null. `plannedUnits` contains the units planned so
 * far, by LineItem.
 */
export function planFulfillmentOrder(
  input: PlanInput,
  plan: Plan,
  fulfillmentOrder: StoreFulfillmentOrder,
  open: OpenLine[],
  plannedUnits: Map<string, number>,
): OutcomeReason | null {
  const location = locationOf(fulfillmentOrder, input.shop.locationId);
  // `planCancellations` answers the request. Until then, nothing is sent.
  if (location === 'ours' && fulfillmentOrder.requestStatus === 'CANCELLATION_REQUESTED')
    return 'cancellation_requested';
  if (isFulfilledElsewhere(input, fulfillmentOrder)) return null;
  if (isHeldByOthers(fulfillmentOrder)) return 'on_hold';
  if (fulfillmentOrder.status !== 'ON_HOLD' && !OPEN_STATUSES.has(fulfillmentOrder.status)) return 'scheduled';
  const items = toItems(input, fulfillmentOrder.id, open, plannedUnits);
  const holds = planHolds(input, fulfillmentOrder, open);
  const isRequested = location === 'ours' && fulfillmentOrder.requestStatus === 'SUBMITTED';
  if (items.length === 0 && open.every(({ planned }) => planned.decision === 'ours')) {
    // Units that were split off or moved to this fulfillment order after they were sent to print are fulfilled from it.
    if (isRequested) plan.accepts.push(fulfillmentOrder.id);
    return null;
  }
  if (location === 'merchant' && !input.settings.printsAtMerchantLocations) return 'former_location';
  const isNew = ({ code, shopifyFulfillmentOrderId: id }: PlannedHold): boolean =>
    id !== null || !plan.holds.some((known) => known.code === code && known.shopifyFulfillmentOrderId === null);
  plan.holds.push(...holds.filter(isNew));
  const lineHolds = holds.filter(({ shopifyLineItemId }) => shopifyLineItemId !== null);
  const isStopped = holds.length > lineHolds.length || items.length === 0;
  if (isStopped || (lineHolds.length > 0 && !input.settings.sendsRestOfHeldOrders)) {
    const rejection = isRequested ? toRejection(fulfillmentOrder.id, holds) : null;
    if (rejection) plan.rejections.push(rejection);
    return null;
  }
  const wait = location === 'ours' ? planRequest(input, plan, fulfillmentOrder, items) : null;
  if (wait !== null) return wait === 'asked' ? null : wait;
  if (items.length > 0) plan.wanted.push({ shopifyFulfillmentOrderId: fulfillmentOrder.id, items });
  return null;
}

/** Returns whether a fulfillment order is not for Platen, because someone else fulfills it or the buyer picks it up. */
export function isFulfilledElsewhere({ shop, settings }: PlanInput, fulfillmentOrder: StoreFulfillmentOrder): boolean {
  const { printsAtMerchantLocations } = settings;
  if (!isAtPrintLocation(fulfillmentOrder, { ...shop, printsAtMerchantLocations })) return true;
  return !['SHIPPING', 'PICKUP_POINT'].includes(methodOf(fulfillmentOrder));
}

function methodOf({ deliveryMethod }: StoreFulfillmentOrder): string {
  return deliveryMethod?.methodType ?? 'SHIPPING';
}

/**
 * Returns why a fulfillment order at Platen's location is waiting for its fulfillment request. Platen prints items at its location only
 * after the request was accepted. Returns 'asked' if the plan submits or accepts the request.
 */
function planRequest(
  input: PlanInput,
  plan: Plan,
  fulfillmentOrder: StoreFulfillmentOrder,
  items: PlannedItem[],
): OutcomeReason | 'asked' | null {
  const { id, requestStatus } = fulfillmentOrder;
  if (requestStatus === 'ACCEPTED') return null;
  // A cancellation was rejected because only part of the fulfillment order could be stopped. The stopped part is not printed unless someone
  // retries.
  if (requestStatus === 'CANCELLATION_REJECTED') return input.canRequestAgain ? null : 'cancellation_rejected';
  if (requestStatus === 'SUBMITTED') {
    plan.accepts.push(id);
    return 'asked';
  }
  if (requestStatus === 'REJECTED' && !input.canRequestAgain) return 'request_rejected';
  const isMerchants = requestStatus === 'UNSUBMITTED' && !input.settings.submitsRequests;
  if (isMerchants || (!input.canRequestAgain && !canRequest(input, fulfillmentOrder, items))) return 'needs_request';
  const units = items.map(({ shopifyLineItemId, quantity }) => ({ shopifyLineItemId, quantity }));
  plan.requests.push({ shopifyFulfillmentOrderId: id, units });
  return 'asked';
}

/** Returns whether Platen may request these units. Each unit is requested at most once. After that, someone must request it by hand. */
function canRequest(input: PlanInput, fulfillmentOrder: StoreFulfillmentOrder, items: PlannedItem[]): boolean {
  if (fulfillmentOrder.requestStatus !== 'UNSUBMITTED') return false;
  if (fulfillmentOrder.merchantRequests.some(({ kind }) => kind === 'FULFILLMENT_REQUEST')) return false;
  return items.every(({ shopifyLineItemId, quantity }) => {
    const asked = Object.entries(input.requested.get(shopifyLineItemId) ?? {});
    const elsewhere = asked.filter(([id]) => id !== fulfillmentOrder.id).reduce((sum, [, units]) => sum + units, 0);
    const ordered = input.order.lineItems.find(({ id }) => id === shopifyLineItemId)?.currentQuantity ?? 0;
    return elsewhere + quantity <= ordered;
  });
}

/** Returns a fulfillment order's holds: one for each held line, and one for each problem of the whole order. */
function planHolds(input: PlanInput, fulfillmentOrder: StoreFulfillmentOrder, open: OpenLine[]): PlannedHold[] {
  const shopifyFulfillmentOrderId = fulfillmentOrder.id;
  const holds: PlannedHold[] = open
    .filter(({ planned }) => planned.decision === 'held')
    .map(({ planned }) => ({
      code: planned.reason as HoldCode,
      field: planned.reason === 'print_file_refused' ? 'fileUrl' : 'productUid',
      message: describeLineHold(input, planned),
      shopifyFulfillmentOrderId,
      shopifyLineItemId: planned.shopifyLineItemId,
    }));
  const hold = (code: string, field: string | null, message: string): void => {
    holds.push({ code, field, message, shopifyFulfillmentOrderId: null, shopifyLineItemId: null });
  };
  // Nothing is printed until someone decides about these lines, so problems of the whole order do not matter yet.
  if (open.every(({ planned }) => planned.reason === NOT_LINKED)) return holds;
  const { recipient, shop, decisions } = input;
  // The store keeps the delivery method when the address changes, so someone must have entered the postal address in Platen.
  if (methodOf(fulfillmentOrder) === 'PICKUP_POINT' && decisions.addressCorrectedAt === null)
    hold(
      'pickup_point',
      'shippingAddress',
      'The buyer chose a pickup point, but the print service cannot deliver to one.',
    );
  if (recipient === null) hold('no_address', 'shippingAddress', 'The order has no shipping address.');
  else if (!recipient.ok) hold(recipient.hold.code, recipient.hold.field, recipient.hold.message);
  if (!shop.hasPrintAccount) hold('no_print_account', 'printKey', 'This shop has no print account yet.');
  if (shop.anotherAppPrints)
    hold('another_app_prints', null, 'Another app already prints orders of this store through the same print account.');
  return holds;
}

function describeLineHold(input: PlanInput, line: PlannedLine): string {
  const name = line.sku ? `The line with SKU ${line.sku}` : 'A line without a SKU';
  if (line.reason === 'not_connected') return `${name} is not connected to a product at the print service.`;
  if (line.reason === 'variant_deleted') return `${name} belongs to a variant that was deleted in the store.`;
  if (line.reason === 'print_file_refused') {
    const lineItem = input.order.lineItems.find(({ id }) => id === line.shopifyLineItemId);
    const fault = lineItem && findPrintFile(input, lineItem)?.fault;
    const property = input.settings.printFileProperty;
    return `${name} has an unusable print file${property === null ? '' : ` in the property ${property}`}. ${fault}`;
  }
  if (line.reason === NOT_LINKED)
    return `${name} is not printed: it was not linked to a print product when it was ordered.`;
  return `${name} has no print link, so Platen does not know its print product and file.`;
}

/**
 * Returns the lines with units that Platen still has to print. Units are counted for the whole order and assigned to each fulfillment order
 * in turn.
 */
function toItems(
  input: PlanInput,
  fulfillmentOrderId: string,
  open: OpenLine[],
  plannedUnits: Map<string, number>,
): PlannedItem[] {
  return open.flatMap(({ planned, remaining, total }) => {
    const line = input.order.lineItems.find(({ id }) => id === planned.shopifyLineItemId);
    const link = line && input.links.get(toLinkKey(line));
    if (planned.decision !== 'ours' || !line || !link) return [];
    const ofLine = input.prints.filter(({ shopifyLineItemId }) => shopifyLineItemId === line.id);
    const isReplaced = (print: PlanInput['prints'][number]): boolean =>
      print.isReplaceable && print.shopifyFulfillmentOrderId === fulfillmentOrderId;
    const prints = ofLine.filter((print) => !isReplaced(print));
    const left = countLeftToFulfill(input.order, line.id);
    const toPrint = countToPrint(left, planned.fulfilledQuantity, prints) - (plannedUnits.get(line.id) ?? 0);
    // `countToPrint` may attribute units that someone fulfilled in another fulfillment order to print orders of this one. Even so, units
    // already printed for this fulfillment order must not be printed again.
    const printedHere = prints
      .filter(({ shopifyFulfillmentOrderId }) => shopifyFulfillmentOrderId === fulfillmentOrderId)
      .reduce((sum, { quantity: units }) => sum + units, 0);
    const quantity = Math.min(remaining, toPrint, total - printedHere);
    if (quantity <= 0) return [];
    // Other fulfillment orders already count the units of the print orders that are replaced here, so these units are not counted again.
    const onTheWay = countUnfulfilledUnits(planned.fulfilledQuantity, ofLine);
    const replaced = ofLine.reduce((sum, print, index) => sum + (isReplaced(print) ? (onTheWay[index] ?? 0) : 0), 0);
    plannedUnits.set(line.id, (plannedUnits.get(line.id) ?? 0) + Math.max(0, quantity - replaced));
    const ownFileUrl = findPrintFile(input, line)?.url ?? null;
    const { productUid, pageCount, envelopeProductUid, envelopesPerPiece } = link;
    const fulfilledBefore = planned.fulfilledQuantity;
    return [
      {
        shopifyLineItemId: line.id,
        shopifyVariantId: planned.shopifyVariantId,
        sku: line.sku,
        productUid,
        fileUrl: ownFileUrl ?? link.fileUrl,
        isOwnFile: ownFileUrl !== null,
        pageCount,
        envelopeProductUid,
        envelopeQuantity: envelopesPerPiece === null ? null : envelopesPerPiece * quantity,
        quantity,
        fulfilledBefore,
      },
    ];
  });
}
