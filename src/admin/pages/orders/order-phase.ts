import { isOpen } from '../../../orders/facts/to-order-state.ts';
import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';

/** Whether a part of an order has no print order yet, so that only the store knows its address. */
export function hasPartWithoutPrintOrder({ state, holds, printOrders }: ShownStorefrontOrder): boolean {
  if (!isOpen(state)) return false;
  return printOrders.every(({ isClosed }) => isClosed) || holds.some(({ reference }) => reference === null);
}
