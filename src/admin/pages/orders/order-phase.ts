import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';

const OPEN: readonly ShownStorefrontOrder['state'][] = ['waiting', 'printing', 'held'];

/** Whether an order in this state may still change. */
export function isOpen(state: ShownStorefrontOrder['state']): boolean {
  return OPEN.includes(state);
}

/** Whether a part of an order has no print order yet, so that only the store knows its address. */
export function hasPartWithoutPrintOrder({ state, holds, printOrders }: ShownStorefrontOrder): boolean {
  if (!isOpen(state)) return false;
  return printOrders.every(({ isClosed }) => isClosed) || holds.some(({ reference }) => reference === null);
}
