import type { StoreFulfillment } from './store-fulfillments.ts';
import type { ShippedItem } from './to-shipped-items.ts';

/** A shipped item with its coverage by the store's fulfillments. */
export interface CoveredItem extends ShippedItem {
  /** Units that are in no fulfillment with one of this item's codes. */
  left: number;
  /** The fulfillments that have, or should have, this item's codes. */
  fulfillmentIds: string[];
}

/**
 * A live fulfillment with every code that it has ever had. Even a manually removed code shows which item's units the fulfillment
 * contains.
 */
type KnownFulfillment = Pick<StoreFulfillment, 'id' | 'lines'> & { codes: ReadonlySet<string> };

/**
 * Finds the shipped items of one print order that the store has already fulfilled. A fulfillment covers an item if it has the item's line
 * and one of its codes. Further units of the line in the fulfillment cover the line's items in other parts. If the line has no units left
 * to fulfill, each item that is still uncovered is assigned to the fulfillment, so that the fulfillment gets the item's codes.
 */
export function coverItems(
  items: readonly ShippedItem[],
  codesOf: (item: ShippedItem) => ReadonlySet<string>,
  fulfillments: readonly KnownFulfillment[],
  unitsLeft: (shopifyLineItemId: string) => number,
): CoveredItem[] {
  const covered = items.map((item): CoveredItem => ({ ...item, left: item.quantity, fulfillmentIds: [] }));
  const spare: { fulfillmentId: string; units: number; siblings: CoveredItem[] }[] = [];
  for (const { id, lines, codes } of fulfillments) {
    for (const { shopifyLineItemId, quantity } of lines) {
      const ofLine = covered.filter((item) => item.shopifyLineItemId === shopifyLineItemId);
      const named = ofLine.filter((item) => [...codesOf(item)].some((code) => codes.has(code)));
      let units = quantity;
      for (const item of named) units = assignUnits(item, id, units);
      const siblings = named.length > 0 ? ofLine.filter((item) => !named.includes(item)) : [];
      spare.push({ fulfillmentId: id, units, siblings });
    }
  }
  for (const { fulfillmentId, units, siblings } of spare) {
    let over = units;
    for (const item of siblings) if (over > 0 && item.left > 0) over = assignUnits(item, fulfillmentId, over);
  }
  for (const { fulfillmentId, siblings } of spare) {
    for (const item of siblings) {
      if (item.left === item.quantity && unitsLeft(item.shopifyLineItemId) === 0) assignUnits(item, fulfillmentId, 0);
    }
  }
  return covered;
}

/** Assigns a fulfillment's units to an item and returns the units that are left over. */
function assignUnits(item: CoveredItem, fulfillmentId: string, units: number): number {
  const taken = Math.min(item.left, units);
  item.left -= taken;
  if (!item.fulfillmentIds.includes(fulfillmentId)) item.fulfillmentIds.push(fulfillmentId);
  return units - taken;
}
