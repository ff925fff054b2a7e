import { EntitySchema } from 'typeorm';
import { moment, text } from './columns.ts';

/** A receipt of the print service, complete, as last shown. */
export interface PrintReceipt {
  printOrderId: string;
  /** The service's id of the receipt; without one, its position among those of its order. */
  receiptId: string;
  /** The service order that last showed it. */
  serviceOrderId: string;
  /**
   * All service orders that showed it: parts of a print order may show the same one. Empty if it was stored before this column existed;
   * then it is only `serviceOrderId`.
   */
  shownBy: string[];
  receipt: Record<string, unknown>;
  /** The merchant's company, which pays. */
  billingEntity: Record<string, unknown> | null;
  seenAt: Date;
}

/** What the buyer paid for an order, as last read from the store (`orders/costs/share-sale.ts`). Deleted when the customer is erased. */
export interface OrderSale {
  storefrontOrderId: string;
  sale: Record<string, unknown>;
  /** The totals and units of the order when it was read: if they change, it is read again. */
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
