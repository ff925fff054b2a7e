import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Delivery } from '../../database/entities/deliveries.ts';
import { PrivacyRequests, type PrivacyRequest } from '../../database/entities/privacy-requests.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';

/** Shopify requires apps to complete requests within this many days (shopify.dev, privacy law compliance). */
const DUE_DAYS = 30;

/** Shopify's request about a customer, with IDs only. */
export interface CustomerRequest {
  requestKey: string;
  shopifyOrderIds: string[];
  receivedAt: Date;
}

/**
 * Reads the request from a `customers/*` delivery. The request's key is Shopify's request ID or, without an ID, a hash of the customer and
 * the orders.
 */
export function toCustomerRequest({
  resourceIds,
  receivedAt,
}: Pick<Delivery, 'resourceIds' | 'receivedAt'>): CustomerRequest {
  const shopifyOrderIds = [...new Set((resourceIds['orders'] ?? '').split(',').filter(Boolean))].toSorted();
  const named = JSON.stringify([resourceIds['customer'] ?? null, shopifyOrderIds]);
  const requestKey = resourceIds['request'] ?? createHash('sha256').update(named).digest('hex');
  return { requestKey, shopifyOrderIds, receivedAt };
}

/**
 * Stores a request once, with all orders that it names, even unknown orders. If a redact request is repeated while one of its orders is not
 * erased, for example because the order arrived later, reopens the request.
 */
export async function savePrivacyRequest(
  manager: EntityManager,
  shop: Pick<Shop, 'id'>,
  kind: PrivacyRequest['kind'],
  { requestKey, shopifyOrderIds, receivedAt }: CustomerRequest,
): Promise<PrivacyRequest> {
  const dueAt = new Date(receivedAt.getTime() + DUE_DAYS * 86_400_000);
  const row = { shopId: shop.id, kind, requestKey, shopifyOrderIds, receivedAt, dueAt };
  await insertIfNew(manager, PrivacyRequests, row);
  if (kind === 'customer_redact')
    await manager.query(
      `update privacy_requests r set done_at = null, received_at = $3, due_at = $4
       where r.shop_id = $1 and r.kind = 'customer_redact' and r.request_key = $2 and r.done_at is not null
         and exists (select from storefront_orders o
           where o.shop_id = r.shop_id and o.shopify_order_id = any(r.shopify_order_ids) and o.erased_at is null)`,
      [shop.id, requestKey, receivedAt, dueAt],
    );
  return manager.findOneByOrFail(PrivacyRequests, { shopId: shop.id, kind, requestKey });
}
