import type { App } from '../app.ts';
import type { Delivery } from '../database/deliveries.ts';
import type { Shop } from '../database/shops.ts';
import { receiveFulfillmentOrder } from '../orders/receive-fulfillment-order.ts';
import { receiveOrder } from '../orders/receive-order.ts';
import { parseEvent } from '../print/events.ts';
import { uninstallShop } from '../shops/uninstall.ts';
import { receivePrintEvent } from '../tracking/receive-print-event.ts';

/** Does what a delivery asks for and says what became of it, for `deliveries.result`. */
type Handler = (app: App, shop: Shop, delivery: Delivery) => Promise<string>;

/** Which function of the domain a topic belongs to; `/*` stands for the rest of a topic. Every one may run twice and in any order. */
const handlers = new Map<string, Handler>([
  ['shopify orders/*', handleOrder],
  ['shopify refunds/*', handleOrder],
  ['shopify fulfillments/*', handleOrder],
  ['shopify fulfillment_orders/*', handleFulfillmentOrders],
  ['shopify fulfillment_order_notification', catchUpFulfillmentRequests],
  ['shopify app/uninstalled', handleUninstall],
  ['shopify products/*', keep],
  ['print order_status_updated', handlePrintEvent],
  ['print order_item_status_updated', handlePrintEvent],
  ['print order_item_tracking_code_updated', handlePrintEvent],
  ['print order_delivery_estimate_updated', handlePrintEvent],
  ['print catalog_product_stock_availability_updated', keep],
  ['print store_product_created', keep],
  ['print store_product_updated', keep],
  ['print store_product_deleted', keep],
  ['print store_product_template_created', keep],
  ['print store_product_template_updated', keep],
  ['print store_product_template_deleted', keep],
]);

/** The handler of a delivery's topic; null when there is none. */
export function findHandler({ source, topic }: Pick<Delivery, 'source' | 'topic'>): Handler | null {
  const family = `${topic.split('/')[0]}/*`;
  return handlers.get(`${source} ${topic}`) ?? handlers.get(`${source} ${family}`) ?? null;
}

async function handleOrder(app: App, shop: Shop, { resourceIds }: Delivery): Promise<string> {
  if (resourceIds['order'] === undefined) return 'no_resource_id';
  await receiveOrder(app, shop, resourceIds['order']);
  return 'handled';
}

/** A split, move or hold names several fulfillment orders, and one of them may be gone: each is looked at once. */
async function handleFulfillmentOrders(app: App, shop: Shop, { resourceIds }: Delivery): Promise<string> {
  for (const id of new Set(Object.values(resourceIds))) await receiveFulfillmentOrder(app, shop, id);
  return 'handled';
}

/** The fulfilment service's callback names no order: the requests are read from the store. */
async function catchUpFulfillmentRequests(app: App, shop: Shop): Promise<string> {
  const key = `catch_up_fulfillment_requests:${shop.id}`;
  await app.jobs.enqueue(app.db, 'catch_up_fulfillment_requests', { shopId: shop.id }, { key });
  return 'handled';
}

async function handleUninstall(app: App, shop: Shop, { occurredAt, receivedAt }: Delivery): Promise<string> {
  await uninstallShop(app, shop, occurredAt ?? receivedAt);
  return 'handled';
}

async function handlePrintEvent(app: App, shop: Shop, { body }: Delivery): Promise<string> {
  await receivePrintEvent(app, shop, parseEvent(body));
  return 'handled';
}

async function keep(): Promise<string> {
  return 'kept';
}
