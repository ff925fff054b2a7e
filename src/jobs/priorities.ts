/** Of jobs, smaller first: what moves an order has none (0). Reading what an order was paid for, or what became of one product, comes after. */
export const READINGS = 5;

/** What goes through many products or orders, or asks the print service for many: after all that is about one. */
export const BULK = 10;
