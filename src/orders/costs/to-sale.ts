import { createHash } from 'node:crypto';
import type { OrderSaleReading } from '../../shopify/calls/order-sale.ts';
import { splitAmount, toAmount, toUnits } from './money.ts';
import type { Sale } from './split-sale.ts';

interface Bag {
  shopMoney: { amount: string };
}

/** Computes a mark that identifies the order's sums and units in the store. While the mark stays the same, the sale has not changed. */
export function toSaleMark(order: {
  currentTotalPriceSet: Bag;
  totalRefundedSet: Bag;
  lineItems: readonly { id: string; currentQuantity: number }[];
}): string {
  // The mark includes units, because an exchange for a line with the same price does not change the sums.
  const units = order.lineItems
    .filter((line) => line.currentQuantity > 0)
    .map((line) => `${line.id} ${line.currentQuantity}`);
  const hash = createHash('sha256').update(units.toSorted().join('\n')).digest('hex').slice(0, 16);
  return `${order.currentTotalPriceSet.shopMoney.amount} ${order.totalRefundedSet.shopMoney.amount} ${hash}`;
}

/** Converts the store's amounts to the amounts that the buyer paid, without taxes. Returns null if an amount cannot be read. */
export function toSale(order: OrderSaleReading): Sale | null {
  const currency = order.currentTotalPriceSet.shopMoney.currencyCode;
  const shipping = toNetShipping(order, currency);
  if (shipping === null) return null;
  return {
    currency,
    lines: order.lineItems.map((line) => ({
      lineItemId: line.id,
      units: line.currentQuantity,
      paid: line.priceAfterAllDiscountsBeforeTaxesSet.shopMoney.amount,
      unitPrice: line.discountedUnitPriceAfterAllDiscountsSet.shopMoney.amount,
      requiresShipping: line.requiresShipping,
    })),
    shipping,
    adjustment: order.refundDiscrepancySet.shopMoney.amount,
    tax: order.currentTotalTaxSet.shopMoney.amount,
    refunded: order.totalRefundedSet.shopMoney.amount,
  };
}

/**
 * Returns shipping without taxes. If prices include taxes, the price of shipping includes them too, and refunds do not change their
 * proportion.
 */
function toNetShipping(order: OrderSaleReading, currency: string): string | null {
  const read = ({ shopMoney }: Bag): bigint => toUnits(shopMoney.amount, currency) ?? 0n;
  const current = toUnits(order.currentShippingPriceSet.shopMoney.amount, currency);
  if (current === null || !order.taxesIncluded) return current === null ? null : toAmount(current, currency);
  const { shippingLines } = order;
  const price = shippingLines.reduce((sum, line) => sum + read(line.discountedPriceSet), 0n);
  const taxes = shippingLines.flatMap(({ taxLines }) => taxLines).reduce((sum, line) => sum + read(line.priceSet), 0n);
  if (taxes <= 0n || taxes > price) return toAmount(current, currency);
  const [net = current] = splitAmount(current, [price - taxes, taxes]);
  return toAmount(net, currency);
}
