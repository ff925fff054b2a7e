import { EntitySchema } from 'typeorm';
import { timestamp, text } from './columns.ts';

/** A receipt from the print service with all its fields, as last returned. */
export interface PrintReceipt {
  printOrderId: string;
  /** The service's ID for the receipt or, without an ID, its position among the order's receipts. */
  receiptId: string;
  /** The service order that last contained the receipt. */
  serviceOrderId: string;
  /**
   * All service orders that contained the receipt, because parts of a print order may share a receipt. Empty if the receipt was stored
   * before this column existed. In that case, only `serviceOrderId` contained it.
   */
  shownBy: string[];
  receipt: Record<string, unknown>;
  /** The merchant's company that pays. */
  billingEntity: Record<string, unknown> | null;
  seenAt: Date;
}

/**
 * The amount that the buyer paid for an order, as last read from the store (`orders/costs/split-sale.ts`). Deleted when the customer is
 * erased.
 */
export interface OrderSale {
  storefrontOrderId: string;
  sale: Record<string, unknown>;
  /** The order's totals and units when the sale was read. If they change, the sale is read again. */
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
    seenAt: timestamp,
  },
});

export const OrderSales = new EntitySchema<OrderSale>({
  name: 'OrderSale',
  tableName: 'order_sales',
  columns: {
    storefrontOrderId: { type: 'bigint', primary: true },
    sale: { type: 'jsonb' },
    mark: text,
    readAt: timestamp,
  },
});
