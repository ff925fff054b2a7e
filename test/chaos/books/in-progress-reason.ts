import { holdCodesOf, type OrderBooks } from './order-books.ts';

/** States at the print service that are final for the purposes of the run. */
const AT_REST = ['shipped', 'in_transit', 'delivered', 'returned', 'canceled', 'failed'];

/** Returns in a few words why an order is still in progress, or null if it is not in progress. */
export function inProgressReason(order: OrderBooks): string | null {
  const { store, listed, live } = order;
  const printing = live.find(({ fulfillmentStatus }) => !AT_REST.includes(fulfillmentStatus));
  if (printing) return `is ${printing.fulfillmentStatus} at the print service`;
  const isHeld = holdCodesOf(order).length > 0;
  const asked = store?.fulfillmentOrders.find(
    ({ location, status, requestStatus }) =>
      location === 'service' &&
      !['CLOSED', 'CANCELLED'].includes(status) &&
      ['SUBMITTED', 'CANCELLATION_REQUESTED'].includes(requestStatus),
  );
  if (asked && !isHeld) return `is waiting for a response (${asked.requestStatus.toLowerCase()})`;
  if (isHeld) return null;
  const isCanceled = store !== null && store.cancelledAt !== null;
  if (!listed) return isCanceled && live.length === 0 ? null : 'is unknown to the app';
  if (isCanceled)
    return listed.state === 'canceled' ? null : `is canceled in the store, but ${listed.state} in the app`;
  if (listed.state === 'printing') return 'is printing according to the app';
  if (listed.state === 'waiting') return isGivenUp(order) ? null : 'is waiting to be printed';
  return null;
}

/** Returns whether nothing is left to print: all units were removed, or the cancellation of the order's fulfillment was accepted. */
function isGivenUp({ placed, store, live }: OrderBooks): boolean {
  const { change } = placed;
  if (change === null || live.length > 0) return false;
  if (change.kind !== 'cancellationRequested') return Object.values(change.wants).every((quantity) => quantity === 0);
  const ours = store?.fulfillmentOrders.filter(({ location }) => location === 'service') ?? [];
  return ours.some(({ requestStatus }) => requestStatus === 'CANCELLATION_ACCEPTED');
}
