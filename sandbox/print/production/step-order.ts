import type { OrderChange } from '../orders/keep-orders.ts';
import { defaultPackages, moveItems, moveOrder, packOrder } from './move-order.ts';
import type { OrderPackage } from '../orders/order-record.ts';
import type { StandIn } from '../stand-in.ts';
import { toStatusEvents, toTrackingEvents } from './to-events.ts';

interface Step {
  to: string;
  comment: string | null;
  /** The items that take it, by their `itemReferenceId`; left out, the order does with all that are at its status. */
  items?: readonly string[] | undefined;
  /** Packages to add; left out, an order that has none is packed by itself when it ships. */
  packages: readonly OrderPackage[] | undefined;
}

/** `last` moved on by one status, its events after the earlier ones: tracking first, then items, then the order. */
export function takeStep(standIn: StandIn, last: OrderChange, { to, comment, items, packages }: Step): OrderChange {
  const { ids } = standIn;
  const moved = items ? moveItems(last.record, to, items) : moveOrder(last.record, to, ids);
  const packsItself = to === 'shipped' && (items !== undefined || moved.order.shipment.packages.length === 0);
  const added = packages ?? (packsItself ? defaultPackages(moved, ids) : []);
  const { record, events } = packStep(standIn, { ...last, record: moved }, added);
  return { record, events: [...events, ...toStatusEvents(last.record, record, comment, ids)] };
}

/** `last` with further packages and an event for each item and code of them. */
export function packStep(standIn: StandIn, last: OrderChange, packages: readonly OrderPackage[]): OrderChange {
  if (packages.length === 0) return last;
  const record = packOrder(last.record, packages);
  return { record, events: [...last.events, ...toTrackingEvents(record, packages, standIn.ids)] };
}
