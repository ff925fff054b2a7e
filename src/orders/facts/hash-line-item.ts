import { createHmac } from 'node:crypto';

/** Outlives the order: a hash that identifies a line only to someone who knows the LineItem's id. */
export function hashLineItem(shopifyLineItemId: string): string {
  return createHmac('sha256', 'platen printed line').update(shopifyLineItemId).digest('hex');
}
