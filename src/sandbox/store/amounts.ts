import type { Order } from './state.ts';

/** Decimal text of cents: 1250 is `12.50`. */
export function toAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function toCents(amount: string): number {
  return Math.round(Number(amount) * 100);
}

/** Sums of an order in cents, as bought and as it stands now (without removed units). The sandbox knows no taxes and no discounts. */
export function orderAmounts(order: Order) {
  const shipping = order.shippingLines.reduce((sum, line) => sum + toCents(line.price), 0);
  const subtotal = order.lineItems.reduce((sum, line) => sum + toCents(line.price) * line.quantity, 0);
  const currentSubtotal = order.lineItems.reduce((sum, line) => sum + toCents(line.price) * line.currentQuantity, 0);
  return { shipping, subtotal, currentSubtotal, total: subtotal + shipping, currentTotal: currentSubtotal + shipping };
}
