import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';
import type { Shop } from '../database/entities/shops.ts';
import { receiveCustomerRedact } from '../orders/privacy/receive-customer-redact.ts';
import { receiveDataRequest } from '../orders/privacy/receive-data-request.ts';
import { receiveShopRedact } from '../orders/privacy/receive-shop-redact.ts';
import { receivePrintEvent } from '../orders/follow/receive/receive-print-event.ts';
import { receiveFulfillmentOrder } from '../orders/intake/receive-fulfillment-order.ts';
import { receiveOrder } from '../orders/intake/receive-order.ts';
import { parseEvent } from '../print/events.ts';
import { receiveProductChange } from '../products/store-products/receive-product-change.ts';
import { receiveTemplateEvent } from '../products/templates/receive-template-event.ts';
import { receiveStockEvent } from '../products/stock/receive-stock-event.ts';
import { receiveStoreProductEvent } from '../products/store-products/receive-store-product-event.ts';
import { readGrantedScopes, refreshGrantedScopes } from '../shops/tokens/scopes.ts';
import { receiveLocationDelete } from '../shops/install/receive-location-delete.ts';
import { receiveShopUpdate } from '../shops/install/receive-shop-update.ts';
import { receiveUninstall } from '../shops/install/receive-uninstall.ts';
import { enqueueSyncCarrierService, enqueueResumeShop } from '../shops/enqueue-shop-jobs.ts';

/** Handles a delivery and returns the result for `deliveries.result`. */
export type Handler = (app: App, shop: Shop, delivery: Delivery) => Promise<string>;

/**
 * The handler for each topic. `/*` matches the rest of a topic. Handlers may run twice for a delivery, and deliveries may be handled in any
 * order.
 */
const handlers = new Map<string, Handler>([
  ['shopify orders/*', handleOrder],
  ['shopify refunds/*', handleOrder],
  ['shopify requested_order_edit/*', handleOrder],
  ['shopify fulfillments/*', handleOrder],
  ['shopify fulfillment_orders/*', handleFulfillmentOrders],
  ['shopify app/uninstalled', handleUninstall],
  ['shopify app/scopes_update', handleScopesUpdate],
  ['shopify shop/update', handleShopUpdate],
  ['shopify locations/delete', handleLocationDelete],
  ['shopify customers/data_request', receiveDataRequest],
  ['shopify customers/redact', receiveCustomerRedact],
  ['shopify shop/redact', receiveShopRedact],
  ['shopify products/*', handleProduct],
  ['print order_status_updated', handlePrintEvent],
  ['print order_item_status_updated', handlePrintEvent],
  ['print order_item_tracking_code_updated', handlePrintEvent],
  ['print order_delivery_estimate_updated', handlePrintEvent],
  ['print catalog_product_stock_availability_updated', handleStockEvent],
  ['print store_product_created', handleStoreProductEvent],
  ['print store_product_updated', handleStoreProductEvent],
  ['print store_product_deleted', handleStoreProductEvent],
  ['print store_product_template_created', handleTemplateEvent],
  ['print store_product_template_updated', handleTemplateEvent],
  ['print store_product_template_deleted', handleTemplateEvent],
]);

/** Shopify's privacy requests also apply to a shop that has removed Platen, because Platen still stores its earlier data. */
const topicsAfterUninstall = new Set([
  'shopify customers/data_request',
  'shopify customers/redact',
  'shopify shop/redact',
]);

/** Returns whether Platen handles a delivery even though the shop has removed Platen. */
export function isHandledAfterUninstall({ source, topic }: Pick<Delivery, 'source' | 'topic'>): boolean {
  return topicsAfterUninstall.has(`${source} ${topic}`);
}

/** Returns the handler for a delivery's topic, or null. */
export function findHandler({ source, topic }: Pick<Delivery, 'source' | 'topic'>): Handler | null {
  const family = `${topic.split('/')[0]}/*`;
  return handlers.get(`${source} ${topic}`) ?? handlers.get(`${source} ${family}`) ?? null;
}

async function handleOrder(app: App, shop: Shop, { resourceIds }: Delivery): Promise<string> {
  if (resourceIds['order'] === undefined) return 'no_resource_id';
  await receiveOrder(app, shop, resourceIds['order']);
  return 'handled';
}

/**
 * Reads each fulfillment order once. A webhook about a split, move or hold names several fulfillment orders, and some may no longer exist.
 */
async function handleFulfillmentOrders(app: App, shop: Shop, { resourceIds }: Delivery): Promise<string> {
  for (const id of new Set(Object.values(resourceIds))) await receiveFulfillmentOrder(app, shop, id);
  return 'handled';
}

async function handleUninstall(app: App, shop: Shop, { occurredAt, receivedAt }: Delivery): Promise<string> {
  return receiveUninstall(app, shop, occurredAt ?? receivedAt);
}

/**
 * Reads the granted scopes from the store, because the webhook's body is not stored. If a scope is new, resumes work that was waiting for
 * it.
 */
async function handleScopesUpdate(app: App, shop: Shop): Promise<string> {
  const before = await readGrantedScopes(app, shop);
  const granted = await refreshGrantedScopes(app, shop);
  const hasNewScope = [...granted].some((scope) => !before.has(scope));
  if (hasNewScope) await enqueueResumeShop(app.db, shop.id);
  if (hasNewScope) await enqueueSyncCarrierService(app.db, shop.id);
  return 'handled';
}

async function handleShopUpdate(app: App, shop: Shop): Promise<string> {
  await receiveShopUpdate(app, shop);
  return 'handled';
}

async function handleLocationDelete(app: App, shop: Shop, { resourceIds }: Delivery): Promise<string> {
  return receiveLocationDelete(app, shop, resourceIds['location']);
}

async function handlePrintEvent(app: App, shop: Shop, { body }: Delivery): Promise<string> {
  await receivePrintEvent(app, shop, parseEvent(body));
  return 'handled';
}

async function handleStoreProductEvent(app: App, shop: Shop, { body }: Delivery): Promise<string> {
  return receiveStoreProductEvent(app, shop, parseEvent(body));
}

async function handleTemplateEvent(app: App, shop: Shop, { body, receivedAt }: Delivery): Promise<string> {
  return receiveTemplateEvent(app, shop, parseEvent(body), receivedAt);
}

async function handleStockEvent(app: App, shop: Shop, { body, receivedAt }: Delivery): Promise<string> {
  return receiveStockEvent(app, shop, parseEvent(body), { receivedAt });
}

async function handleProduct(app: App, shop: Shop, { resourceIds }: Delivery): Promise<string> {
  return resourceIds['product'] === undefined
    ? 'no_resource_id'
    : receiveProductChange(app, shop, resourceIds['product']);
}
