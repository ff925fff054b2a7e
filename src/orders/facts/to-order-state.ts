import type { Hold, OrderLine, StorefrontOrder } from '../../database/entities/orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { isStateIn } from './order-state.ts';
import { hasShipped } from './print-order-predicates.ts';
import { willNeverShip } from './service-trouble.ts';
import { hasNothingToFulfill } from './outcome-reasons.ts';

/** The states of a whole order, as the merchant sees them (docs/rules/states.md#storefront-order). */
export const orderStates = ['canceled', 'held', 'nothing_to_do', 'fulfilled', 'printing', 'waiting'] as const;
export type StorefrontOrderState = (typeof orderStates)[number];

/** What the merchant reads for an order's state. */
export const orderLabels = [...orderStates, 'shipped'] as const;
export type OrderLabel = (typeof orderLabels)[number];

/** Whether an order in this state may still change. */
export function isOpen(state: StorefrontOrderState): boolean {
  return state === 'waiting' || state === 'printing' || state === 'held';
}

interface OrderFacts {
  order: Pick<StorefrontOrder, 'canceledAt' | 'outcome' | 'outcomeReason' | 'lineVariants'>;
  lines: readonly Pick<OrderLine, 'shopifyLineItemId' | 'decision' | 'orderedQuantity' | 'fulfilledQuantity'>[];
  /** Only open holds. */
  holds: readonly Pick<Hold, 'id'>[];
  /** Excludes fenced print orders. */
  printOrders: readonly Pick<PrintOrder, 'state' | 'confirmedAt' | 'shippedAt' | 'printAgainAt'>[];
}

/**
 * Returns the first of these states that applies to a storefront order. `canceled`: the order was canceled in the store. `held`: a hold is
 * open, or a print order is held. `fulfilled`: all of Platen's lines that are still needed are fulfilled. `printing`: a print order is
 * confirmed and has neither failed nor been canceled. `nothing_to_do`: Platen has nothing to print. `waiting`: in all other cases. Once the
 * plan finds nothing to do and all print orders have ended, the order is no longer `printing`.
 */
export function toOrderState({ order, lines, holds, printOrders }: OrderFacts): StorefrontOrderState {
  if (order.canceledAt !== null) return 'canceled';
  if (holds.length > 0 || printOrders.some(({ state, printAgainAt }) => state === 'held' && printAgainAt === null))
    return 'held';
  const ours = lines.filter(({ decision }) => decision !== 'not_ours');
  if (!isUndecided(order, lines) && isFulfilled(ours, printOrders)) return 'fulfilled';
  if (order.outcome === 'nothing_to_do' && printOrders.every(isEnded)) {
    const isAnyFulfilled = hasNothingToFulfill(order.outcomeReason) && ours.some((line) => line.fulfilledQuantity > 0);
    return isAnyFulfilled ? 'fulfilled' : 'nothing_to_do';
  }
  if (printOrders.some(({ confirmedAt, state }) => confirmedAt !== null && !willNeverShip(state))) return 'printing';
  // Nothing will ship, and someone has resolved the failures.
  if (printOrders.length > 0 && printOrders.every(({ state }) => willNeverShip(state))) return 'nothing_to_do';
  // Before the plan decides anything, there are no lines.
  const isNothingOurs = order.outcome === 'nothing_to_do' || (lines.length > 0 && ours.length === 0);
  return isNothingOurs ? 'nothing_to_do' : 'waiting';
}

/**
 * Returns what the merchant reads for the order's state. An order without anything left to print or fulfill is `shipped` if a parcel has
 * left, for example because its items were refunded while it was on its way.
 */
export function toOrderLabel(facts: OrderFacts): OrderLabel {
  const state = toOrderState(facts);
  return state === 'nothing_to_do' && facts.printOrders.some(hasShipped) ? 'shipped' : state;
}

/** Returns whether a print order has ended, or a person has replaced it with a reprint. */
function isEnded({ state, printAgainAt }: OrderFacts['printOrders'][number]): boolean {
  return isStateIn(state, 'ended') || printAgainAt !== null;
}

/** Returns whether the order got lines about which a plan has not decided yet, such as those of an order that is not paid. */
function isUndecided({ outcome, lineVariants }: OrderFacts['order'], lines: OrderFacts['lines']): boolean {
  if (outcome !== 'waiting' || lines.length === 0) return false;
  return Object.keys(lineVariants).some((id) => lines.every(({ shopifyLineItemId }) => shopifyLineItemId !== id));
}

/**
 * Returns whether every line that is still needed is fulfilled. An order from which all lines were removed counts as fulfilled if units
 * were fulfilled before the removal and nothing is being printed.
 */
function isFulfilled(lines: OrderFacts['lines'], printOrders: OrderFacts['printOrders']): boolean {
  const wanted = lines.filter(({ orderedQuantity }) => orderedQuantity > 0);
  if (wanted.length > 0) return wanted.every((line) => line.fulfilledQuantity >= line.orderedQuantity);
  return lines.some(({ fulfilledQuantity }) => fulfilledQuantity > 0) && printOrders.every(isEnded);
}
