import { roundMoney } from '../money.ts';
import type { Ids } from '../../ids.ts';
import type { Order, OrderItem, Receipt } from './order-record.ts';

const VAT_RATE = 0.09;

interface Line {
  type: 'product' | 'shipment' | 'packaging';
  referenceId: string;
  title: string;
  amount: number;
  price: number;
}

/** The items that a receipt covers, and whether it covers the shipment. */
export interface ReceiptScope {
  transactionType: 'purchase' | 'refund';
  items: readonly OrderItem[];
  withShipment: boolean;
}

/**
 * Builds a receipt for items and, if the scope includes it, for the shipment and the free packaging
 * (docs/rules/print-interface.md#receipt). Drafts have no receipt. The documentation shows only receipts of purchases. A refund's receipt
 * has the same amounts as the receipt of the purchase.
 */
export function buildReceipt(
  order: Pick<Order, 'id' | 'currency' | 'items' | 'shipment'>,
  at: string,
  ids: Ids,
  scope: ReceiptScope = { transactionType: 'purchase', items: order.items, withShipment: true },
): Receipt {
  const { currency } = order;
  const id = ids.nextUuid();
  const lines = toLines(order, scope);
  const products = sumUp('productsPrice', totalOf(lines, 'product', currency), currency);
  const packaging = sumUp('packagingPrice', totalOf(lines, 'packaging', currency), currency);
  const delivery = sumUp('shippingPrice', totalOf(lines, 'shipment', currency), currency);
  const total = roundMoney(
    lines.reduce((sum, line) => sum + line.price, 0),
    currency,
  );
  const totalVat = vatOf(total, currency);
  return {
    id,
    orderId: order.id,
    transactionType: scope.transactionType,
    currency,
    items: lines.map((line) => ({
      id: ids.nextUuid(),
      receiptId: id,
      ...line,
      currency,
      priceBase: line.price,
      priceInitial: line.price,
      discount: 0,
      vat: vatOf(line.price, currency),
      priceInclVat: roundMoney(line.price + vatOf(line.price, currency), currency),
      createdAt: at,
      updatedAt: at,
    })),
    ...products,
    ...packaging,
    ...delivery,
    discount: 0,
    discountVat: 0,
    discountInclVat: 0,
    totalInitial: total,
    total,
    totalVat,
    totalInclVat: roundMoney(total + totalVat, currency),
  };
}

function toLines({ shipment }: Pick<Order, 'shipment'>, { items, withShipment }: ReceiptScope): Line[] {
  const products = items.map((item): Line => {
    const title = `${item.quantity}x ${item.productUid}`;
    return { type: 'product', referenceId: item.id, title, amount: 1, price: item.price };
  });
  if (!withShipment) return products;
  const { id: referenceId, price, shipmentMethodName } = shipment;
  const title = `Delivery using ${shipmentMethodName}`;
  return [
    ...products,
    { type: 'shipment', referenceId, title, amount: 1, price },
    { type: 'packaging', referenceId, title: 'Packaging', amount: 1, price: 0 },
  ];
}

function totalOf(lines: readonly Line[], type: Line['type'], currency: string): number {
  const prices = lines.filter((line) => line.type === type).map((line) => line.price);
  return roundMoney(
    prices.reduce((sum, price) => sum + price, 0),
    currency,
  );
}

function sumUp(name: string, price: number, currency: string): Record<string, number> {
  const vat = vatOf(price, currency);
  return {
    [`${name}Initial`]: price,
    [`${name}Discount`]: 0,
    [name]: price,
    [`${name}Vat`]: vat,
    [`${name}InclVat`]: roundMoney(price + vat, currency),
  };
}

function vatOf(price: number, currency: string): number {
  return roundMoney(price * VAT_RATE, currency);
}
