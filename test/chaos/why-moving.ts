import { holdCodesOf, type OrderBooks } from './order-books.ts';

/** Where an order at the print service has come to its end, as far as the run takes it. */
const AT_REST = ['shipped', 'in_transit', 'delivered', 'returned', 'canceled', 'failed'];

/** What is still to happen to an order, in a few words; null: it has come to rest, for better or for worse. */
export function whyMoving(order: OrderBooks): string | null {
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
  if (asked && !isHeld) return `waits for an answer (${asked.requestStatus.toLowerCase()})`;
  if (isHeld) return null;
  const isCancelled = store !== null && store.cancelledAt !== null;
  if (!listed) return isCancelled && live.length === 0 ? null : 'is not known to the app';
  if (isCancelled) return listed.state === 'canceled' ? null : `is cancelled, and ${listed.state} to the app`;
  if (listed.state === 'printing') return 'is printing to the app';
  if (listed.state === 'waiting') return isGivenUp(order) ? null : 'waits to be printed';
  return null;
}

/** Nothing of it is to be printed any more: all was taken out, or the cancellation of its fulfilment was accepted. */
function isGivenUp({ placed, store, live }: OrderBooks): boolean {
  const { change } = placed;
  if (change === null || live.length > 0) return false;
  if (change.kind !== 'cancellationRequested') return Object.values(change.wants).every((quantity) => quantity === 0);
  const ours = store?.fulfillmentOrders.filter(({ location }) => location === 'service') ?? [];
  return ours.some(({ requestStatus }) => requestStatus === 'CANCELLATION_ACCEPTED');
}
