// The statuses in docs/rules/print-interface.md#statuses.

function list(statuses: string): readonly string[] {
  return statuses.split(' ');
}

/** Order fulfillment statuses. Order items and order-status events use the same statuses. */
export const ORDER_STATUSES = list(
  'created passed failed canceled printed shipped draft pending_approval not_connected on_hold',
);

/** Order statuses in the older event variant. */
export const OLDER_ORDER_STATUSES = list('created uploading passed failed canceled printed shipped');

/** Item statuses in an `orderStatus` payload of the older variant. */
export const OLDER_ORDER_ITEM_STATUSES = ['created', 'passed', 'failed', 'canceled', 'printed', 'shipped'] as const;

/** Item statuses in events of the older variant and in the earlier interface's status responses. */
export const OLDER_ITEM_STATUSES = ['passed', 'failed', 'canceled', 'printed', 'shipped'] as const;

export const FINANCIAL_STATUSES = list(
  'draft pending invoiced to_be_invoiced paid canceled partially_refunded refunded refused',
);

export const ORDER_TYPES = ['order', 'draft'] as const;
export const CHANNELS = ['ui', 'api', 'shopify', 'etsy'] as const;
export const STORE_PRODUCT_STATUSES = ['created', 'publishing', 'publishing_error', 'active'] as const;
export const CONNECTION_STATUSES = ['connected', 'not_connected', 'ignored'] as const;
export const STOCK_STATUSES = ['in-stock', 'out-of-stock-replenishable', 'out-of-stock'] as const;

/** Order statuses that only the reading notes list. */
export const FURTHER_ORDER_STATUSES = list(
  'uploading in_production pending_personalization digitizing in_transit delivered returned',
);

/** Stock statuses that only the reading notes list. */
export const FURTHER_STOCK_STATUSES = ['non-stockable', 'not-supported'] as const;
