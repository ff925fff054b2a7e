import { roundMoney } from './money.ts';
import type { Ids } from '../ids.ts';
import type { Order } from './order-record.ts';

const VAT_RATE = 0.09;

interface Line {
  type: 'product' | 'shipment' | 'packaging';
  referenceId: string;
  title: string;
  amount: number;
  price: number;
}

/** The receipt of an order that is no draft (interface page, Receipt): its items, its shipment and free packaging. */
export function buildReceipt(order: Pick<Order, 'id' | 'currency' | 'items' | 'shipment'>, at: string, ids: Ids) {
  const { currency, shipment } = order;
  const id = ids.nextUuid();
  const shipping = {
    type: 'shipment',
    title: `Delivery using ${shipment.shipmentMethodName}`,
    price: shipment.price,
  } as const;
  const lines: Line[] = [
    ...order.items.map((item): Line => ({
      type: 'product',
      referenceId: item.id,
      title: `${item.quantity}x ${item.productUid}`,
      amount: 1,
      price: item.price,
    })),
    { ...shipping, referenceId: shipment.id, amount: 1 },
    { type: 'packaging', referenceId: shipment.id, title: 'Packaging', amount: 1, price: 0 },
  ];
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
    transactionType: 'purchase',
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
