import type { FulfillmentInput } from '../shopify/generated/operations.ts';
import type { CoveredItem } from './cover-items.ts';
import type { PackageToPush } from './packages-to-push.ts';
import { type GroupToFulfill, toTracking } from './plan-push.ts';
import type { LineUnits, OpenLine, Tracking } from './store-fulfillments.ts';
import { packagesOf } from './to-shipped-items.ts';
import { NO_TRACKING_CODE } from '../orders/facts/describe-tracking-codes.ts';
import { toTrackingInfo } from './to-tracking-info.ts';

/** One fulfillment to create, with the data that Platen records about it. */
export interface NewFulfillment {
  input: FulfillmentInput;
  /** The first of the fulfillment orders that the fulfillment covers. */
  fulfillmentOrderId: string;
  lines: LineUnits[];
  tracking: Tracking[];
  /** The units to fulfill, by fulfillment order line. */
  taken: { line: OpenLine; quantity: number }[];
}

/**
 * Builds a group's fulfillments, one per location, because a call's fulfillment orders must share a location
 * (docs/rules/shopify.md#rules-of-fulfillmentcreate). Matches units by line item, because a split, move or merge gives fulfillment order
 * lines new IDs. Uses the print order's own fulfillment order first, then other open fulfillment orders, and never more units than are
 * left. Returns an empty list if nothing is open.
 */
export function toFulfillments(
  { print, items, packages }: GroupToFulfill,
  openLines: readonly OpenLine[],
  notifyCustomer: boolean,
): NewFulfillment[] {
  const own = print.printOrder.shopifyFulfillmentOrderId;
  const open = openLines
    .filter(({ standing }) => standing === 'open')
    .toSorted((a, b) => Number(b.fulfillmentOrderId === own) - Number(a.fulfillmentOrderId === own));
  const taken = allocateUnits(items, open);
  const byLocation = Map.groupBy(taken, ({ line }) => line.locationId);
  return [...byLocation.values()].map((units) => {
    const tracking = toTrackings(units, packages);
    return {
      input: {
        lineItemsByFulfillmentOrder: toInputLines(units),
        notifyCustomer,
        ...(tracking.some(({ number }) => number !== NO_TRACKING_CODE)
          ? { trackingInfo: toTrackingInfo(tracking) }
          : {}),
      },
      fulfillmentOrderId: units[0]?.line.fulfillmentOrderId ?? own,
      lines: sumBy(units, ({ line }) => line.shopifyLineItemId).map(([shopifyLineItemId, quantity]) => ({
        shopifyLineItemId,
        quantity,
      })),
      tracking,
      taken: units,
    };
  });
}

interface AllocatedUnits {
  item: CoveredItem;
  line: OpenLine;
  quantity: number;
}

function allocateUnits(items: readonly CoveredItem[], open: readonly OpenLine[]): AllocatedUnits[] {
  const remaining = new Map(open.map((line) => [line.id, line.remaining]));
  return items.flatMap((item) => {
    let wanted = item.left;
    return open
      .filter((line) => line.shopifyLineItemId === item.shopifyLineItemId)
      .flatMap((line) => {
        const left = remaining.get(line.id) ?? 0;
        const quantity = Math.min(wanted, left);
        wanted -= quantity;
        remaining.set(line.id, left - quantity);
        return quantity > 0 ? [{ item, line, quantity }] : [];
      });
  });
}

function toInputLines(units: readonly AllocatedUnits[]): FulfillmentInput['lineItemsByFulfillmentOrder'] {
  return [...Map.groupBy(units, ({ line }) => line.fulfillmentOrderId)].map(([fulfillmentOrderId, ofOrder]) => ({
    fulfillmentOrderId,
    fulfillmentOrderLineItems: sumBy(ofOrder, ({ line }) => line.id).map(([id, quantity]) => ({ id, quantity })),
  }));
}

/** Returns the tracking codes of the units, each code once. */
function toTrackings(units: readonly AllocatedUnits[], packages: readonly PackageToPush[]): Tracking[] {
  const own = packages.filter((one) => units.some(({ item }) => packagesOf(item, [one]).length > 0));
  const byCode = Map.groupBy(own.map(toTracking), ({ number }) => number);
  return [...byCode.values()].flatMap((same) => same.find(({ url }) => url !== null) ?? same[0] ?? []);
}

function sumBy(units: readonly AllocatedUnits[], keyOf: (units: AllocatedUnits) => string): [string, number][] {
  const groups = Map.groupBy(units, keyOf);
  return [...groups].map(([key, same]) => [key, same.reduce((sum, { quantity }) => sum + quantity, 0)]);
}
