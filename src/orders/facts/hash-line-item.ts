import { createHmac } from 'node:crypto';

/**
 * Returns a hash that Platen may store for longer than the order. The hash identifies a line only to someone who knows the LineItem's ID.
 */
export function hashLineItem(shopifyLineItemId: string): string {
  return createHmac('sha256', 'platen printed line').update(shopifyLineItemId).digest('hex');
}
