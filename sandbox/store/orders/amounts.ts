import type { LineItem, Order, Refund } from '../state.ts';

/** Converts cents to decimal text: 1250 becomes `12.50`. */
export function toAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function toCents(amount: string): number {
  return Math.round(Number(amount) * 100);
}

/** Returns the amounts of a line item in cents, for all its units and for those that have not been refunded or removed. */
export function lineAmounts(line: LineItem, taxesIncluded = false) {
  const original = toCents(line.price) * line.quantity;
  const discount = toCents(line.discount ?? '0');
  const discounted = original - discount;
  const tax = toCents(line.tax ?? '0');
  const now = (cents: number): number => partOf(cents, line, line.currentQuantity);
  const net = discounted - (taxesIncluded ? tax : 0);
  return { original, discount, discounted, tax, current: now(discounted), currentTax: now(tax), currentNet: now(net) };
}

/** Returns the amounts of an order in cents, both as purchased and as they are now, without removed units and refunded shipping. */
export function orderAmounts(order: Order) {
  const { taxesIncluded = false } = order;
  const lines = order.lineItems.map((line) => lineAmounts(line, taxesIncluded));
  const sum = (name: keyof (typeof lines)[number]): number => lines.reduce((so, line) => so + line[name], 0);
  const shipping = order.shippingLines.reduce((so, line) => so + toCents(line.price), 0);
  const shippingTax = order.shippingLines.reduce((so, line) => so + toCents(line.tax ?? '0'), 0);
  const refundedShipping = order.refunds.reduce((so, refund) => so + toCents(refund.shipping ?? '0'), 0);
  const currentShipping = shipping - refundedShipping;
  const currentShippingTax = shipping === 0 ? 0 : Math.round((shippingTax * currentShipping) / shipping);
  const [tax, currentTax] = [sum('tax') + shippingTax, sum('currentTax') + currentShippingTax];
  const refunds = order.refunds.map((refund) => refundAmounts(order, refund));
  return {
    shipping,
    currentShipping,
    refundedShipping,
    tax,
    currentTax,
    discount: sum('discount'),
    subtotal: sum('discounted'),
    currentSubtotal: sum('current'),
    total: sum('discounted') + shipping + (taxesIncluded ? 0 : tax),
    currentTotal: sum('current') + currentShipping + (taxesIncluded ? 0 : currentTax),
    refunded: refunds.reduce((so, { actual }) => so + actual, 0),
    discrepancy: refunds.reduce((so, { suggested, actual }) => so + suggested - actual, 0),
  };
}

/** Returns the actual amount of a refund in cents, and the sum of its lines and shipping with taxes. */
export function refundAmounts(order: Order, refund: Refund) {
  const lines = refund.lines.reduce((sum, { lineItemId, quantity }) => {
    const line = order.lineItems.find(({ id }) => id === lineItemId);
    if (!line) return sum;
    const { discounted, tax } = lineAmounts(line);
    return sum + partOf(discounted, line, quantity) + (order.taxesIncluded ? 0 : partOf(tax, line, quantity));
  }, 0);
  const suggested = lines + toCents(refund.shipping ?? '0');
  return { suggested, actual: refund.amount === undefined ? suggested : toCents(refund.amount) };
}

function partOf(cents: number, { quantity }: LineItem, units: number): number {
  return quantity === 0 ? 0 : Math.round((cents * units) / quantity);
}
