import { Any, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { Delivery } from '../../database/entities/deliveries.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { finishRedactRequests } from './finish-redact-requests.ts';
import { savePrivacyRequest, toCustomerRequest } from './save-privacy-request.ts';
import { markRedacted } from './mark-redacted.ts';

/** Maximum number of orders named in one log line. */
const MAX_LOGGED_PER_LINE = 1_000;

/**
 * Redacts the customer of these orders: from now on, Platen neither plans nor sends them, and one job per order erases the data. Orders
 * that arrive later are redacted on arrival (`redactIfRequested`). Returns the number of these orders that Platen already knows. Safe to
 * repeat.
 */
export async function redactCustomer(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  delivery: Pick<Delivery, 'resourceIds' | 'receivedAt'>,
): Promise<number> {
  const request = toCustomerRequest(delivery);
  const { id: requestId } = await app.db.transaction(async (manager) => {
    // The lock waits for transactions that are currently storing orders. An order that is stored later is checked against this request
    // (`redactIfRequested`).
    await manager.query('select from shops where id = $1 for update', [shop.id]);
    return savePrivacyRequest(manager, shop, 'customer_redact', request);
  });
  return app.db.transaction(async (manager) => {
    const known = await redactOrders(app, manager, shop, request.shopifyOrderIds);
    await removeCustomerId(manager, shop, delivery.resourceIds['customer']);
    await finishRedactRequests(manager, { shopId: shop.id, shopifyOrderId: null }, app.clock.now());
    logRequest(app, { shop: shop.domain, requestId, known }, request.shopifyOrderIds);
    return known;
  });
}

async function redactOrders(
  app: App,
  manager: EntityManager,
  shop: Pick<Shop, 'id'>,
  shopifyOrderIds: string[],
): Promise<number> {
  // The rows are locked in order of their IDs, so that two requests that share orders cannot deadlock.
  const orders = await manager.find(StorefrontOrders, {
    where: { shopId: shop.id, shopifyOrderId: Any(shopifyOrderIds) },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  for (const order of orders) await markRedacted(app, manager, order);
  return orders.length;
}

/** Removes the customer's ID from the stored deliveries of the requests. */
async function removeCustomerId(manager: EntityManager, shop: Pick<Shop, 'id'>, customer?: string): Promise<void> {
  if (customer === undefined) return;
  await manager.query(
    `update deliveries set resource_ids = resource_ids - 'customer'
     where source = 'shopify' and shop_id = $1 and resource_ids ->> 'customer' = $2`,
    [shop.id, customer],
  );
}

/** Logs all IDs that the request names, so that an operator can repeat the erasure after a database restore. */
function logRequest(app: App, about: { shop: string; requestId: string; known: number }, ids: string[]): void {
  for (let at = 0; at === 0 || at < ids.length; at += MAX_LOGGED_PER_LINE) {
    const shopifyOrderIds = ids.slice(at, at + MAX_LOGGED_PER_LINE);
    app.log.info({ ...about, shopifyOrderIds }, 'a customer will be redacted');
  }
}
