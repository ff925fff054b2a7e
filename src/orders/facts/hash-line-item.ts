import { createHmac } from 'node:crypto';

/** What outlives an order of its line: a hash that names it only to who knows the LineItem's id. */
export function hashLineItem(shopifyLineItemId: string): string {
  return createHmac('sha256', 'platen printed line').update(shopifyLineItemId).digest('hex');
}
