import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { markRedacted } from './mark-redacted.ts';

/**
 * Redacts a new order if an earlier `customers/redact` request for its shop named the order. Returns whether the order was redacted. Call
 * this function after inserting the row, in the same transaction or before the first plan. `redactCustomer` briefly locks the shop, so
 * either `redactCustomer` finds the row or this function finds the request.
 */
export async function redactIfRequested(
  app: App,
  manager: EntityManager,
  order: Pick<StorefrontOrder, 'id' | 'shopId' | 'shopifyOrderId'>,
): Promise<boolean> {
  const requests: unknown[] = await manager.query(
    `select id from privacy_requests
     where shop_id = $1 and kind = 'customer_redact' and shopify_order_ids @> array[$2::text] limit 1`,
    [order.shopId, order.shopifyOrderId],
  );
  if (requests.length > 0) await manager.transaction((inner) => markRedacted(app, inner, order));
  return requests.length > 0;
}
