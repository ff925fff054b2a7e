import type { Books } from './read-books.ts';

/** Describes an order's records in one line. */
export function describeBooks({ store, printed, shown }: Books): string {
  const holds = shown?.holds.map(({ code }) => code).join(', ') ?? '';
  const reason = shown?.reason ? ` (${shown.reason.code})` : '';
  const state = shown === null ? 'unknown to Platen' : `${shown.state}${reason}${holds && ` [${holds}]`}`;
  const atService = printed.map(({ orderType, fulfillmentStatus, deleted, items }) => {
    const units = items.map(({ quantity, fulfillmentStatus: is }) =>
      is === fulfillmentStatus ? `${quantity}` : `${quantity} ${is}`,
    );
    return `${deleted ? 'deleted ' : ''}${orderType === 'draft' ? 'draft' : fulfillmentStatus} ${units.join('+')}`;
  });
  const toFulfill = store.fulfillmentOrders.map(
    ({ status, requestStatus, location, lines }) =>
      `${status.toLowerCase()}/${requestStatus.toLowerCase()} ${location} ${lines.map(({ remaining }) => remaining).join('+')}`,
  );
  const fulfilled = store.fulfillments.map(({ trackingCodes }) => trackingCodes.join('+') || 'no code');
  return `${state}; service: ${list(atService)}; store: ${list(toFulfill)}; fulfilled: ${list(fulfilled)}`;
}

const list = (words: readonly string[]): string => words.join(', ') || '-';
