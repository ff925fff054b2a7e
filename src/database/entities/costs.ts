import { EntitySchema } from 'typeorm';
import { moment, text } from './columns.ts';

/** A receipt of the print service, whole, as it was last shown. */
export interface PrintReceipt {
  printOrderId: string;
  /** The service's id of it; of one without an id its place among those of its order. */
  receiptId: string;
  /** The order of the service that showed it last. */
  serviceOrderId: string;
  /** All that have shown it: parts of a print order may show the same one. Empty: that one alone, of before this was kept. */
  shownBy: string[];
  receipt: Record<string, unknown>;
  /** The merchant's company, which pays. */
  billingEntity: Record<string, unknown> | null;
  seenAt: Date;
}

/** What the buyer paid for an order, as it was last read from the store (`orders/costs/share-sale.ts`); gone when the customer is erased. */
export interface OrderSale {
  storefrontOrderId: string;
  sale: Record<string, unknown>;
  /** The sums and units of the order when it was read: others ask for another reading. */
  mark: string;
  readAt: Date;
}

export const PrintReceipts = new EntitySchema<PrintReceipt>({
  name: 'PrintReceipt',
  tableName: 'print_receipts',
  columns: {
    printOrderId: { type: 'bigint', primary: true },
    receiptId: { type: 'text', primary: true },
    serviceOrderId: text,
    shownBy: { type: 'text', array: true, default: [] },
    receipt: { type: 'jsonb' },
    billingEntity: { type: 'jsonb', nullable: true },
    seenAt: moment,
  },
});

export const OrderSales = new EntitySchema<OrderSale>({
  name: 'OrderSale',
  tableName: 'order_sales',
  columns: {
    storefrontOrderId: { type: 'bigint', primary: true },
    sale: { type: 'jsonb' },
    mark: text,
    readAt: moment,
  },
});
