import { countUnfulfilledUnits } from './count-to-print.ts';
import { limitSentences } from '../../facts/limit-sentences.ts';
import type { PlannedCancellation, PlannedLine, PlannedRejection } from './plan.ts';
import type { KnownPrint } from '../../rows/own-rows.ts';
import { countFulfilled, UNFULFILLED_STATUSES, locationOf } from '../../facts/store-quantities.ts';
import type { StoreFulfillmentOrder, StoreReading } from '../../facts/store-reading.ts';
import { isClosing, isReplaceable, isSuperseded } from '../../facts/print-order-predicates.ts';
import { isStateIn } from '../../facts/order-state.ts';

type OrderOfRequests = Pick<StoreReading, 'fulfillmentOrders' | 'fulfillments'>;

/** Whether a cancellation can still stop a print order. */
type Standing = { is: 'open' | 'gone' } | { is: 'kept'; why: string };

const LEFT: Standing = { is: 'kept', why: 'it has left the print service' };

/**
 * Decides how to answer requests to cancel a fulfillment (docs/rules/created-once.md#cancellation). A request is accepted once all its
 * print orders are proven gone, and rejected as soon as one of them cannot be stopped. Until then, the request waits. Holds on the order do
 * not affect the answer. `forgotten`: units, by LineItem, whose print orders an earlier installation sent and whose rows no longer exist
 * (`countHeldUnits`).
 */
export function planCancellations(
  order: OrderOfRequests,
  locationId: string | null,
  prints: readonly KnownPrint[],
  forgotten: ReadonlyMap<string, number> = new Map(),
): PlannedCancellation[] {
  return order.fulfillmentOrders
    .filter(
      ({ status, requestStatus }) => UNFULFILLED_STATUSES.has(status) && requestStatus === 'CANCELLATION_REQUESTED',
    )
    .filter((one) => locationOf(one, locationId) === 'ours')
    .map((one) => planCancellation(order, one, prints, forgotten));
}

const PRINTED_BEFORE =
  'Some units went to print before Platen was removed from this store, and Platen cannot cancel their print order.';

function planCancellation(
  order: OrderOfRequests,
  fulfillmentOrder: StoreFulfillmentOrder,
  prints: readonly KnownPrint[],
  forgotten: ReadonlyMap<string, number>,
): PlannedCancellation {
  const mine = prints.filter((print) => belongsTo(order, fulfillmentOrder, print));
  const standings = [
    ...mine.map((print) => ({
      ...print,
      standing: hasCanceledFulfillment(order, print, prints) ? LEFT : toStanding(print),
    })),
    ...findSharedPrints(order, fulfillmentOrder, prints).map((print) => ({
      ...print,
      standing: toSharedStanding(order, print),
    })),
  ];
  const kept = standings.flatMap(({ printOrder, standing }) =>
    standing.is === 'kept' ? [`${printOrder.reference} cannot be canceled: ${standing.why}.`] : [],
  );
  const isForgotten = fulfillmentOrder.lineItems.some(
    ({ remainingQuantity, lineItem }) => remainingQuantity > 0 && (forgotten.get(lineItem.id) ?? 0) > 0,
  );
  if (isForgotten) kept.push(PRINTED_BEFORE);
  const stopped = mine.filter(wasStopped).map(({ printOrder }) => printOrder.reference);
  const isOpen = standings.some(({ standing }) => standing.is === 'open');
  const base = {
    shopifyFulfillmentOrderId: fulfillmentOrder.id,
    printOrderIds: mine.map(({ printOrder }) => printOrder.id),
  };
  if (kept.length > 0) {
    const open = standings
      .filter(({ standing }) => standing.is === 'open')
      .map(({ printOrder }) => printOrder.reference);
    const also = [
      ...(stopped.length > 0 ? [`Canceled in time: ${stopped.join(', ')}.`] : []),
      ...(open.length > 0 ? [`Being canceled: ${open.join(', ')}.`] : []),
    ];
    const remedy =
      "Cancel it in the print service's dashboard if that is still possible. Otherwise, agree with the buyer on what to do.";
    return { ...base, answer: 'reject', message: [...limitSentences(kept), ...also, remedy].join(' ') };
  }
  if (isOpen) return { ...base, answer: 'wait', message: 'Platen is canceling the print order at the print service.' };
  const message = stopped.length > 0 ? `Stopped before printing: ${stopped.join(', ')}.` : 'Nothing has been printed.';
  return { ...base, answer: 'accept', message };
}

/** Returns whether a print order belongs to this fulfillment order, or to a closed fulfillment order whose lines are now in this one. */
function belongsTo(
  order: Pick<StoreReading, 'fulfillmentOrders'>,
  fulfillmentOrder: StoreFulfillmentOrder,
  { printOrder, lines }: KnownPrint,
): boolean {
  if (printOrder.shopifyFulfillmentOrderId === fulfillmentOrder.id) return true;
  const home = order.fulfillmentOrders.find(({ id }) => id === printOrder.shopifyFulfillmentOrderId);
  if (home && UNFULFILLED_STATUSES.has(home.status)) return false;
  return fulfillmentOrder.lineItems.some(
    ({ remainingQuantity, lineItem }) =>
      remainingQuantity > 0 && lines.some(({ shopifyLineItemId }) => shopifyLineItemId === lineItem.id),
  );
}

function toStanding({ printOrder, deviation }: KnownPrint): Standing {
  const { state, fencedAt, cancelRequestedAt, shippedAt, printAgainAt } = printOrder;
  // A fenced print order is never printed, and one that ended has nothing left to cancel.
  if (fencedAt !== null || isStateIn(state, 'ended')) return { is: 'gone' };
  if (cancelRequestedAt !== null) return { is: 'open' };
  if (deviation.cancelRefusedAt !== null)
    return { is: 'kept', why: deviation.cancelRefusedWhy ?? 'the print service refused to cancel it' };
  // Someone has chosen to print these units again in another print order.
  if (printAgainAt !== null) return { is: 'gone' };
  return shippedAt === null ? { is: 'open' } : LEFT;
}

/** Returns whether units of a fulfilled print order are left to fulfill because someone canceled their fulfillment. */
function hasCanceledFulfillment(
  order: OrderOfRequests,
  { printOrder, lines }: KnownPrint,
  prints: readonly KnownPrint[],
): boolean {
  if (printOrder.state !== 'fulfilled' || isSuperseded(printOrder)) return false;
  const counted = prints.filter((print) => !isSuperseded(print.printOrder));
  return lines.some(
    ({ shopifyLineItemId }) => countOf(order, counted, ({ id }) => id === printOrder.id, shopifyLineItemId) > 0,
  );
}

/**
 * Finds print orders of other open fulfillment orders from which units were split off or moved to this fulfillment order. Units were moved
 * if the other fulfillment order has more units in print than it has left to fulfill.
 */
function findSharedPrints(
  order: OrderOfRequests,
  fulfillmentOrder: StoreFulfillmentOrder,
  prints: readonly KnownPrint[],
): KnownPrint[] {
  const asked = new Set(
    fulfillmentOrder.lineItems.filter((one) => one.remainingQuantity > 0).map(({ lineItem }) => lineItem.id),
  );
  const counted = prints.filter(({ printOrder }) => !isSuperseded(printOrder));
  const isShared = ({ printOrder: { shopifyFulfillmentOrderId: homeId }, lines }: KnownPrint): boolean =>
    lines.some(
      ({ shopifyLineItemId: id }) =>
        asked.has(id) &&
        countOf(order, counted, (one) => one.shopifyFulfillmentOrderId === homeId, id) > countLeftOf(order, homeId, id),
    );
  return counted.filter(
    (print) => !isReplaceable(print) && !belongsTo(order, fulfillmentOrder, print) && isShared(print),
  );
}

/** Counts a LineItem's units that are in some of the print orders and not fulfilled. */
function countOf(
  order: OrderOfRequests,
  counted: readonly KnownPrint[],
  isCounted: (printOrder: KnownPrint['printOrder']) => boolean,
  lineItemId: string,
): number {
  const ofLine = counted.flatMap(({ printOrder, lines }) =>
    lines
      .filter((line) => line.shopifyLineItemId === lineItemId && line.printAgainAt === null)
      .map(({ quantity, unitsAgain, fulfilledBefore }) => ({
        quantity: quantity - unitsAgain,
        fulfilledBefore,
        isCounted: isCounted(printOrder),
      })),
  );
  const onTheWay = countUnfulfilledUnits(countFulfilled(order, lineItemId), ofLine);
  return ofLine.reduce((sum, one, index) => sum + (one.isCounted ? (onTheWay[index] ?? 0) : 0), 0);
}

function countLeftOf({ fulfillmentOrders }: OrderOfRequests, fulfillmentOrderId: string, lineItemId: string): number {
  const { lineItems = [] } = fulfillmentOrders.find(({ id }) => id === fulfillmentOrderId) ?? {};
  return lineItems
    .filter(({ lineItem }) => lineItem.id === lineItemId)
    .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

/**
 * A print order that also has another fulfillment order's units continues for its own fulfillment order, unless that fulfillment order is
 * being canceled too.
 */
function toSharedStanding({ fulfillmentOrders }: OrderOfRequests, print: KnownPrint): Standing {
  const standing = toStanding(print);
  const home = fulfillmentOrders.find(({ id }) => id === print.printOrder.shopifyFulfillmentOrderId);
  if (standing.is !== 'open' || isClosing(print.printOrder) || home?.requestStatus === 'CANCELLATION_REQUESTED')
    return standing;
  return {
    is: 'kept',
    why: 'these units are printed together with others that are still wanted and cannot be stopped separately',
  };
}

const STOPPED = new Set(['cancellation_requested', 'canceled', 'canceled_by_hand']);

function wasStopped({ printOrder }: KnownPrint): boolean {
  return printOrder.fencedAt !== null && STOPPED.has(printOrder.closedReason ?? '');
}

/** Rejects fulfillment requests in which Platen prints no line, because waiting would not change that. */
export function planForeignRejections(
  order: Pick<StoreReading, 'fulfillmentOrders'>,
  locationId: string | null,
  lines: readonly PlannedLine[],
): PlannedRejection[] {
  const notOurs = new Map(
    lines.filter(({ decision }) => decision === 'not_ours').map((one) => [one.shopifyLineItemId, one]),
  );
  return order.fulfillmentOrders
    .filter((one) => one.requestStatus === 'SUBMITTED' && locationOf(one, locationId) === 'ours')
    .filter(({ lineItems }) => {
      const left = lineItems.filter(({ remainingQuantity }) => remainingQuantity > 0);
      return left.length > 0 && left.every(({ lineItem }) => notOurs.has(lineItem.id));
    })
    .map(({ id }) => ({
      shopifyFulfillmentOrderId: id,
      reason: 'INELIGIBLE_PRODUCT',
      message: 'Platen prints none of these lines. Fulfill them by hand, or move them to the location that ships them.',
    }));
}
