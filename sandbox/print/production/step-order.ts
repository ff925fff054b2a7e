import type { OrderChange } from '../orders/save-orders.ts';
import { defaultPackages, moveItems, moveOrder, packOrder } from './move-order.ts';
import type { OrderPackage } from '../orders/order-record.ts';
import type { StandIn } from '../stand-in.ts';
import { toStatusEvents, toTrackingEvents } from './to-events.ts';

interface Step {
  to: string;
  comment: string | null;
  /** The `itemReferenceId`s of the items that move. If omitted, the order moves with all items that have its status. */
  items?: readonly string[] | undefined;
  /** The packages to add. If omitted, an order that has no packages is packed automatically when it ships. */
  packages: readonly OrderPackage[] | undefined;
}

/**
 * Advances the order in `last` by one status. The new events follow the earlier events of `last`: tracking events first, then item events,
 * then the order event.
 */
export function stepOrder(standIn: StandIn, last: OrderChange, { to, comment, items, packages }: Step): OrderChange {
  const { ids } = standIn;
  const moved = items ? moveItems(standIn, last.record, to, items) : moveOrder(standIn, last.record, to);
  const packsAutomatically = to === 'shipped' && (items !== undefined || moved.order.shipment.packages.length === 0);
  const added = packages ?? (packsAutomatically ? defaultPackages(moved, ids) : []);
  const { record, events } = stepPackages(standIn, { ...last, record: moved }, added);
  return { record, events: [...events, ...toStatusEvents(standIn, last.record, record, comment)] };
}

/** Adds packages to the order in `last`, and adds an event for each item and tracking code of these packages. */
export function stepPackages(standIn: StandIn, last: OrderChange, packages: readonly OrderPackage[]): OrderChange {
  if (packages.length === 0) return last;
  const record = packOrder(standIn, last.record, packages);
  return { record, events: [...last.events, ...toTrackingEvents(standIn, record, packages)] };
}
