import type { ListedOrder } from '../../../src/orders/lists/list-orders.ts';
import type { PlacedOrder, Units } from '../orders/planned-order.ts';
import type { Books, PrintRecord, StoreRecord } from './read-books.ts';

/** Everything known about one order of the run. */
export interface OrderBooks {
  placed: PlacedOrder;
  /** Null if the store does not have the order. */
  store: StoreRecord | null;
  /** The order in the app's list, or null if the app does not know it. */
  listed: ListedOrder | null;
  /** All orders and drafts that were ever created for this order at the print service. */
  made: PrintRecord[];
  /** The orders that are printed or will be printed. */
  live: PrintRecord[];
  /** Drafts that have not been deleted. */
  drafts: PrintRecord[];
}

const ENDED = ['canceled', 'failed'];

/** Groups the books by the run's orders. Print orders are matched by their buyer, regardless of their labels. */
export function byOrder({ print, store, listed }: Books, placed: readonly PlacedOrder[]): OrderBooks[] {
  const ofBuyer = Map.groupBy(print, ({ shippingAddress }) => shippingAddress.lastName);
  const ofStore = new Map(store.map((order) => [order.id, order]));
  return placed.map((order) => {
    const made = ofBuyer.get(order.buyer) ?? [];
    const there = made.filter(({ deleted }) => deleted !== true);
    return {
      placed: order,
      store: ofStore.get(order.id) ?? null,
      listed: listed.get(order.id) ?? null,
      made,
      live: there.filter(
        ({ orderType, fulfillmentStatus }) => orderType === 'order' && !ENDED.includes(fulfillmentStatus),
      ),
      drafts: there.filter(({ orderType }) => orderType === 'draft'),
    };
  });
}

/** Returns the live print orders' items that were not canceled and did not fail. */
export function livingItems(live: readonly PrintRecord[]): PrintRecord['items'] {
  return live.flatMap(({ items }) => items.filter(({ fulfillmentStatus }) => !ENDED.includes(fulfillmentStatus)));
}

/** Returns the SKU of the order line to which an item belongs, or null if there is no such line. */
export function skuOfItem(store: StoreRecord | null, { itemReferenceId }: { itemReferenceId: string }): string | null {
  const line = store?.lines.find(({ id }) => id.slice(id.lastIndexOf('/') + 1) === itemReferenceId);
  return line?.sku ?? null;
}

export function unitsFulfilled(store: StoreRecord | null): Units {
  return sumUnits(
    (store?.fulfillments ?? []).flatMap(({ lines }) => lines.map(({ sku, quantity }) => [sku ?? '', quantity])),
  );
}

export function sumUnits(entries: readonly (readonly [sku: string, quantity: number])[]): Units {
  const units: Units = {};
  for (const [sku, quantity] of entries) units[sku] = (units[sku] ?? 0) + quantity;
  return units;
}

/** Returns the codes of the order's holds. */
export function holdCodesOf({ listed }: OrderBooks): string[] {
  const codes = (listed?.holds ?? []).map(({ code }) => code);
  return codes.length === 0 && listed?.state === 'held' ? ['held'] : codes;
}
