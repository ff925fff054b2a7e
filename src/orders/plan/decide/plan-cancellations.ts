import { countOnTheWay } from './count-to-print.ts';
import type { PlannedCancellation, PlannedLine, PlannedRejection } from './plan.ts';
import { type KnownPrint, isReplaceable } from '../../rows/own-rows.ts';
import { fulfilledOf, LEFT_STATUSES, locationOf } from '../../facts/store-quantities.ts';
import type { StoreFulfillmentOrder, StoreReading } from '../../facts/store-reading.ts';

type OrderOfRequests = Pick<StoreReading, 'fulfillmentOrders' | 'fulfillments'>;

/** What a cancellation can still do about a print order. */
type Standing = { is: 'open' | 'gone' } | { is: 'kept'; why: string };

/**
 * The answers to the requests to cancel a fulfilment (created-once page, "Cancellation"): accepted once every print order of it is
 * proven gone, rejected as soon as one cannot be stopped, awaited else. Whatever else holds or stops the order.
 */
export function planCancellations(
  order: OrderOfRequests,
  locationId: string | null,
  prints: readonly KnownPrint[],
): PlannedCancellation[] {
  return order.fulfillmentOrders
    .filter(({ status, requestStatus }) => LEFT_STATUSES.has(status) && requestStatus === 'CANCELLATION_REQUESTED')
    .filter((one) => locationOf(one, locationId) === 'ours')
    .map((one) => planCancellation(order, one, prints));
}

function planCancellation(
  order: OrderOfRequests,
  fulfillmentOrder: StoreFulfillmentOrder,
  prints: readonly KnownPrint[],
): PlannedCancellation {
  const mine = prints.filter((print) => isOf(order, fulfillmentOrder, print));
  const standings = [
    ...mine.map((print) => ({ ...print, standing: toStanding(print) })),
    ...findShared(order, fulfillmentOrder, prints).map((print) => ({
      ...print,
      standing: toSharedStanding(order, print),
    })),
  ];
  const kept = standings.flatMap(({ printOrder, standing }) =>
    standing.is === 'kept' ? [`${printOrder.reference} cannot be cancelled: ${standing.why}.`] : [],
  );
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
      ...(stopped.length > 0 ? [`Cancelled in time: ${stopped.join(', ')}.`] : []),
      ...(open.length > 0 ? [`Being cancelled: ${open.join(', ')}.`] : []),
    ];
    const remedy =
      'Cancel it in the dashboard of the print service if it still can be; else agree with the buyer what to do.';
    return { ...base, answer: 'reject', message: [...kept, ...also, remedy].join(' ') };
  }
  if (isOpen) return { ...base, answer: 'wait', message: 'The print service is asked to stop it.' };
  const message =
    stopped.length > 0 ? `Stopped before it was printed: ${stopped.join(', ')}.` : 'Nothing of it is printed.';
  return { ...base, answer: 'accept', message };
}

/** A print order is of its fulfillment order, and of another that has its lines once its own is gone from the store. */
function isOf(
  order: Pick<StoreReading, 'fulfillmentOrders'>,
  fulfillmentOrder: StoreFulfillmentOrder,
  { printOrder, lines }: KnownPrint,
): boolean {
  if (printOrder.shopifyFulfillmentOrderId === fulfillmentOrder.id) return true;
  const home = order.fulfillmentOrders.find(({ id }) => id === printOrder.shopifyFulfillmentOrderId);
  if (home && LEFT_STATUSES.has(home.status)) return false;
  return fulfillmentOrder.lineItems.some(
    ({ remainingQuantity, lineItem }) =>
      remainingQuantity > 0 && lines.some(({ shopifyLineItemId }) => shopifyLineItemId === lineItem.id),
  );
}

function toStanding({ printOrder }: KnownPrint): Standing {
  const { state, fencedAt, cancelRequestedAt, cancelRefusedAt, cancelRefusedWhy, shippedAt, printAgainAt } = printOrder;
  // What was fulfilled is not in what is left to cancel; what is over at the service is not made.
  if (fencedAt !== null || ['fulfilled', 'canceled', 'failed'].includes(state)) return { is: 'gone' };
  if (cancelRequestedAt !== null) return { is: 'open' };
  if (cancelRefusedAt !== null)
    return { is: 'kept', why: cancelRefusedWhy ?? 'the print service refused to cancel it' };
  // What a person gave up for another print order is that person's word.
  if (printAgainAt !== null) return { is: 'gone' };
  return shippedAt === null ? { is: 'open' } : { is: 'kept', why: 'it has left the print service' };
}

/**
 * Print orders of another fulfillment order, left in the store, that were sent with units which have been split off or moved to this one
 * since: more is on the way than their own has left.
 */
function findShared(
  order: OrderOfRequests,
  fulfillmentOrder: StoreFulfillmentOrder,
  prints: readonly KnownPrint[],
): KnownPrint[] {
  const asked = new Set(
    fulfillmentOrder.lineItems.filter((one) => one.remainingQuantity > 0).map(({ lineItem }) => lineItem.id),
  );
  const counted = prints.filter(({ printOrder }) => printOrder.fencedAt === null && printOrder.printAgainAt === null);
  const isShared = ({ printOrder: { shopifyFulfillmentOrderId: homeId }, lines }: KnownPrint): boolean =>
    lines.some(
      ({ shopifyLineItemId: id }) => asked.has(id) && countOf(order, counted, homeId, id) > leftOf(order, homeId, id),
    );
  return counted.filter((print) => !isReplaceable(print) && !isOf(order, fulfillmentOrder, print) && isShared(print));
}

/** Units of a LineItem on the way in the print orders of a fulfillment order. */
function countOf(order: OrderOfRequests, counted: readonly KnownPrint[], homeId: string, lineItemId: string): number {
  const ofLine = counted.flatMap(({ printOrder, lines }) =>
    lines
      .filter((line) => line.shopifyLineItemId === lineItemId && line.printAgainAt === null)
      .map(({ quantity, unitsAgain, fulfilledBefore }) => ({
        quantity: quantity - unitsAgain,
        fulfilledBefore,
        isOfHome: printOrder.shopifyFulfillmentOrderId === homeId,
      })),
  );
  const onTheWay = countOnTheWay(fulfilledOf(order, lineItemId), ofLine);
  return ofLine.reduce((sum, { isOfHome }, index) => sum + (isOfHome ? (onTheWay[index] ?? 0) : 0), 0);
}

function leftOf({ fulfillmentOrders }: OrderOfRequests, fulfillmentOrderId: string, lineItemId: string): number {
  const { lineItems = [] } = fulfillmentOrders.find(({ id }) => id === fulfillmentOrderId) ?? {};
  return lineItems
    .filter(({ lineItem }) => lineItem.id === lineItemId)
    .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

/** It goes on for its own fulfillment order, unless that is to be cancelled too. */
function toSharedStanding({ fulfillmentOrders }: OrderOfRequests, print: KnownPrint): Standing {
  const standing = toStanding(print);
  const home = fulfillmentOrders.find(({ id }) => id === print.printOrder.shopifyFulfillmentOrderId);
  const isClosing = print.printOrder.closedAt !== null || print.printOrder.cancelRequestedAt !== null;
  if (standing.is !== 'open' || isClosing || home?.requestStatus === 'CANCELLATION_REQUESTED') return standing;
  return {
    is: 'kept',
    why: 'these units are printed together with others that are still wanted, and cannot be stopped alone',
  };
}

const STOPPED = new Set(['cancellation_requested', 'canceled', 'canceled_by_hand']);

function wasStopped({ printOrder }: KnownPrint): boolean {
  return printOrder.fencedAt !== null && STOPPED.has(printOrder.closedReason ?? '');
}

/** Requests for what Platen does not print at all: no line of it is ours, and none ever becomes so by waiting. */
export function rejectForeign(
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
      message: 'Platen prints none of these lines. Fulfil them by hand, or move them to the location that ships them.',
    }));
}
