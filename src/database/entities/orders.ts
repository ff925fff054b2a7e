import { EntitySchema } from 'typeorm';
import {
  bigId,
  owner,
  ownerOrNull,
  integer,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
  insertTimestamp,
  defaultTimestamp,
} from './columns.ts';

/** One of the shop's orders and its overall state. */
export interface StorefrontOrder {
  id: string;
  shopId: number;
  shopifyOrderId: string;
  name: string;
  placedAt: Date;
  /** When the order was paid, by the store's clock. Null if the store has not reported it. */
  paidAt: Date | null;
  canceledAt: Date | null;
  outcome: 'waiting' | 'nothing_to_do' | 'planned';
  /** Why the order is waiting or why there is nothing to do: a code from `orders/facts/outcome-reasons.ts`. */
  outcomeReason: string | null;
  /** The number of the next part. Part numbers increase and are never reused. */
  nextPart: number;
  /**
   * The number of the last reference that was made for each of the order's fulfillment orders, by GID (`facts/compute-reference.ts`). 0 for a
   * fulfillment order without a print order.
   */
  referenceNumbers: Record<string, number>;
  /** When a planning job last read the order from the store. */
  readAt: Date | null;
  /** The store's time of the latest change to the order that a reading has included. Null if the order has not been read yet. */
  coversUntil: Date | null;
  closedAt: Date | null;
  receivedAt: Date;
  /** Set when the customer's data must be erased. From then on, the order is not planned, and none of its remaining items are sent. */
  redactedAt: Date | null;
  /** When the data was erased. */
  erasedAt: Date | null;
  /** When a person approved the order for printing. `approvedBy` identifies the source without personal data: `cli`, `merchant`, `flow`. */
  approvedAt: Date | null;
  approvedBy: string | null;
  /** The order's total in the shop's currency, from the first plan after the approval. */
  approvedTotal: string | null;
  /**
   * The units that the approval covers, by LineItem ID. These are the units that Platen knew at the time of the approval. If it knew none,
   * they are the units in the next plan.
   */
  approvedUnits: Record<string, number> | null;
  /** When the units that are waiting for the daily release will be sent to print. Null if no units are waiting. */
  releaseAt: Date | null;
  /** When a person put the order on hold. No further items are sent until the order is approved again. */
  heldAt: Date | null;
  heldBy: string | null;
  /**
   * When a person requested the order's cancellation. Everything that can be canceled is canceled, and the order is never planned again.
   */
  cancelAskedAt: Date | null;
  cancelAskedBy: string | null;
  /**
   * When a person asked Platen to request fulfillment again after an earlier request was rejected or canceled. Platen clears this field
   * with its next request.
   */
  askAgainAt: Date | null;
  /** The shipping methods that a person chose for the parts that have not been sent yet. Null: the shop's rules choose. */
  shippingChoice: { methodUids: string[]; name: string } | null;
  /** When a person last saved the order's address in Platen. An order to a pickup point is then printed for that address. */
  addressCorrectedAt: Date | null;
  /** Each LineItem's variant, by LineItem ID, as last read. The store may since have deleted the variant. */
  lineVariants: Record<string, string>;
  /** The values that were last written to the store for the order (tags, metafields, holds). Only differences are written. */
  written: Record<string, unknown>;
  /**
   * The backfill that imported the order, and the time of the import. An imported order is printed even though it was placed before the
   * shop's start date.
   */
  backfillId: string | null;
  backfilledAt: Date | null;
  /** When the order was last rebuilt because the database had been restored (`orders/rebuild/rebuild-order.ts`). */
  reconciledAt: Date | null;
  /** The print account that was searched when the order was rebuilt. */
  reconciledAccountId: number | null;
}

/** The decision about one line of a storefront order. */
export interface OrderLine {
  storefrontOrderId: string;
  shopifyLineItemId: string;
  /** Null if the line has never had a known variant, or was decided before this column existed. */
  shopifyVariantId: string | null;
  /** Null if the line has no product, the store has deleted the product, or the line was decided before this column existed. */
  shopifyProductId: string | null;
  sku: string | null;
  decision: 'ours' | 'not_ours' | 'held';
  reason: string | null;
  orderedQuantity: number;
  fulfilledQuantity: number;
  /** Units for which Platen itself requested fulfillment, by fulfillment order ID. */
  requested: Record<string, number>;
  decidedAt: Date;
}

/**
 * The printed quantity of a LineItem, by a hash of its ID. Stored permanently, so that Platen does not reprint an old order after a
 * reinstallation.
 */
export interface PrintedLine {
  lineItemHash: string;
  quantity: number;
  printedAt: Date;
}

/** A problem that a person must resolve: a code from `orders/facts/hold-codes.ts`, the print interface's field, and a plain description. */
export interface Hold {
  id: string;
  shopId: number;
  storefrontOrderId: string;
  printOrderId: string | null;
  shopifyFulfillmentOrderId: string | null;
  shopifyLineItemId: string | null;
  code: string;
  field: string | null;
  message: string;
  createdAt: Date;
  resolvedAt: Date | null;
}

/** A step in an order's history, with the reason for it. Contains no personal data. */
export interface TimelineEntry {
  id: string;
  shopId: number;
  storefrontOrderId: string;
  printOrderId: string | null;
  at: Date;
  kind: string;
  message: string;
  data: Record<string, unknown>;
  by: string;
}

export const StorefrontOrders = new EntitySchema<StorefrontOrder>({
  name: 'StorefrontOrder',
  tableName: 'storefront_orders',
  columns: {
    id: bigId,
    shopId: integer,
    shopifyOrderId: text,
    name: text,
    placedAt: timestamp,
    paidAt: timestampOrNull,
    canceledAt: timestampOrNull,
    outcome: { type: 'text', default: 'waiting' },
    outcomeReason: textOrNull,
    nextPart: { type: 'integer', default: 1 },
    referenceNumbers: { type: 'jsonb', default: {} },
    readAt: timestampOrNull,
    coversUntil: timestampOrNull,
    closedAt: timestampOrNull,
    receivedAt: insertTimestamp,
    redactedAt: timestampOrNull,
    erasedAt: timestampOrNull,
    approvedAt: timestampOrNull,
    approvedBy: textOrNull,
    approvedTotal: textOrNull,
    approvedUnits: { type: 'jsonb', nullable: true },
    releaseAt: timestampOrNull,
    heldAt: timestampOrNull,
    heldBy: textOrNull,
    cancelAskedAt: timestampOrNull,
    cancelAskedBy: textOrNull,
    askAgainAt: timestampOrNull,
    shippingChoice: { type: 'jsonb', nullable: true },
    addressCorrectedAt: timestampOrNull,
    lineVariants: { type: 'jsonb', default: {} },
    written: { name: 'told', type: 'jsonb', default: {} },
    backfillId: ownerOrNull,
    backfilledAt: timestampOrNull,
    reconciledAt: timestampOrNull,
    reconciledAccountId: { type: 'int', nullable: true },
  },
});

export const OrderLines = new EntitySchema<OrderLine>({
  name: 'OrderLine',
  tableName: 'order_lines',
  columns: {
    storefrontOrderId: { type: 'bigint', primary: true },
    shopifyLineItemId: { type: 'text', primary: true },
    shopifyVariantId: textOrNull,
    shopifyProductId: textOrNull,
    sku: textOrNull,
    decision: text,
    reason: textOrNull,
    orderedQuantity: { type: 'integer', default: 0 },
    fulfilledQuantity: { type: 'integer', default: 0 },
    requested: { type: 'jsonb', default: {} },
    decidedAt: insertTimestamp,
  },
});

export const PrintedLines = new EntitySchema<PrintedLine>({
  name: 'PrintedLine',
  tableName: 'printed_lines',
  columns: {
    lineItemHash: { type: 'text', primary: true },
    quantity: integer,
    printedAt: insertTimestamp,
  },
});

export const Holds = new EntitySchema<Hold>({
  name: 'Hold',
  tableName: 'holds',
  columns: {
    id: bigId,
    shopId: integer,
    storefrontOrderId: owner,
    printOrderId: ownerOrNull,
    shopifyFulfillmentOrderId: textOrNull,
    shopifyLineItemId: textOrNull,
    code: text,
    field: textOrNull,
    message: text,
    createdAt: insertTimestamp,
    resolvedAt: timestampOrNull,
  },
});

export const TimelineEntries = new EntitySchema<TimelineEntry>({
  name: 'TimelineEntry',
  tableName: 'timeline_entries',
  columns: {
    id: bigId,
    shopId: integer,
    storefrontOrderId: owner,
    printOrderId: ownerOrNull,
    at: defaultTimestamp,
    kind: text,
    message: text,
    data: { type: 'jsonb', default: {} },
    by: { type: 'text', default: 'platen' },
  },
});
