import { z } from 'zod';
import type Router from '@koa/router';
import { createControlRouter } from '../control.ts';
import { jsonOf } from '../json-body.ts';
import { parseOrRefuse } from '../refusal.ts';
import { createWebhookEndpoint } from './addresses.ts';
import { advanceOrder } from './production/advance-order.ts';
import { resetStock } from './catalog/stock.ts';
import { addStockEndpoints } from './catalog/stock-endpoints.ts';
import { createOrder } from './orders/create-order.ts';
import { clearLegacy } from './legacy/legacy-orders.ts';
import { addPromiseEndpoint } from './legacy/promises.ts';
import { deleteDraft } from './orders/delete-draft.ts';
import { editDraft } from './orders/edit-draft.ts';
import { addLimitEndpoint, clearLimit } from './limit-requests.ts';
import { addPaymentEndpoint, clearPayments } from './orders/payment.ts';
import { refundOrder } from './orders/refund-order.ts';
import { allOrders, type StandIn } from './stand-in.ts';
import { resetStores } from './store-products/seed-stores.ts';
import { addStoreProductEndpoints } from './store-products/store-product-endpoints.ts';
import { updateEstimate } from './orders/update-estimate.ts';

const placedOrderSchema = z.strictObject({
  key: z.string().default('sandbox-key'),
  channel: z.enum(['api', 'ui', 'shopify', 'etsy']).default('ui'),
  storeId: z.string().nullable().default(null),
  order: z.unknown(),
});

/**
 * Creates the control endpoints for people and tests. `POST /_control/orders` places an order as if it came from another connection of the
 * account.
 */
export function createControlEndpoints(standIn: StandIn): Router {
  const { books, faults, deliveries } = standIn;
  const router = createControlRouter({
    faults,
    webhooks: createWebhookEndpoint(books, deliveries),
    reset() {
      books.clear('orders');
      resetStock(standIn);
      resetStores(standIn);
      clearLimit(standIn);
      clearPayments(standIn);
      clearLegacy(standIn);
      faults.clear();
      deliveries.clear();
    },
  });
  router.get('/orders', (ctx) => {
    ctx.body = allOrders(standIn).map(({ order, deleted }) => (deleted ? { ...order, deleted } : order));
  });
  router.post('/orders', (ctx) => {
    const { key, order, ...origin } = parseOrRefuse(placedOrderSchema, jsonOf(ctx));
    ctx.status = 201;
    ctx.body = createOrder(standIn, key, order, origin);
  });
  router.post('/orders/:orderId/advance', (ctx) => {
    ctx.body = advanceOrder(standIn, String(ctx.params['orderId']), jsonOf(ctx));
  });
  router.post('/orders/:orderId/edit', (ctx) => {
    ctx.body = editDraft(standIn, String(ctx.params['orderId']), jsonOf(ctx));
  });
  router.delete('/orders/:orderId', (ctx) => {
    deleteDraft(standIn, null, String(ctx.params['orderId']));
    ctx.body = {};
  });
  router.post('/orders/:orderId/estimate', (ctx) => {
    ctx.body = updateEstimate(standIn, String(ctx.params['orderId']), jsonOf(ctx));
  });
  router.post('/orders/:orderId/refund', (ctx) => {
    ctx.body = refundOrder(standIn, String(ctx.params['orderId']), jsonOf(ctx));
  });
  addLimitEndpoint(router, standIn);
  addPaymentEndpoint(router, standIn);
  addPromiseEndpoint(router, standIn);
  addStockEndpoints(router, standIn);
  addStoreProductEndpoints(router, standIn);
  return router;
}
