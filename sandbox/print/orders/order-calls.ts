import type Router from '@koa/router';
import type { Context } from 'koa';
import { jsonOf } from '../../json-body.ts';
import { authenticate } from '../authenticate.ts';
import { cancelOrder } from './cancel-order.ts';
import { createOrder } from './create-order.ts';
import { deleteDraft } from './delete-draft.ts';
import { patchOrder } from './patch-order.ts';
import { quoteOrder } from './quote-order.ts';
import { searchOrders, searchOrdersV3 } from './search-orders.ts';
import { findOrder, type StandIn } from '../stand-in.ts';

/** Adds the order endpoints: those of the documented interface and, if extended calls are served, Order Get, Patch and Cancel. */
export function addOrderCalls(router: Router, standIn: StandIn): void {
  router.post('/v4/orders\\:quote', (ctx) => {
    authenticate(ctx);
    ctx.body = quoteOrder(standIn, jsonOf(ctx));
  });
  router.post('/v3/orders', (ctx) => {
    ctx.body = createOrder(standIn, authenticate(ctx), jsonOf(ctx));
  });
  router.post('/v4/orders\\:search', (ctx) => {
    ctx.body = searchOrders(standIn, authenticate(ctx), jsonOf(ctx));
  });
  router.post('/v3/orders\\:search', (ctx) => {
    ctx.body = searchOrdersV3(standIn, authenticate(ctx), jsonOf(ctx));
  });
  router.delete('/v4/orders/:orderId', (ctx) => {
    deleteDraft(standIn, authenticate(ctx), orderIdOf(ctx));
    ctx.body = {};
  });
  if (!standIn.extended) return;

  router.get('/v4/orders/:orderId', (ctx) => {
    ctx.body = findOrder(standIn, authenticate(ctx), orderIdOf(ctx)).order;
  });
  router.patch('/v4/orders/:orderId', (ctx) => {
    ctx.body = patchOrder(standIn, authenticate(ctx), orderIdOf(ctx), jsonOf(ctx));
  });
  router.post('/v4/orders/:orderId\\:cancel', (ctx) => {
    ctx.body = cancelOrder(standIn, authenticate(ctx), orderIdOf(ctx));
  });
}

function orderIdOf(ctx: Context): string {
  const params = ctx['params'] as Record<string, string>;
  return params['orderId'] ?? '';
}
