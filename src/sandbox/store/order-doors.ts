import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { jsonOf, textOf } from '../json-body.ts';
import { parseOrRefuse, Refusal } from '../refusal.ts';
import { UserError } from './answer-mutation.ts';
import { cancelOrder, payOrder, refundOrder } from './change-order.ts';
import { findShop } from './find-shop.ts';
import { createOrder, orderInputSchema } from './create-order.ts';
import { editOrder, editSchema } from './edit-order.ts';
import { submitCancellationRequest, submitFulfillmentRequest } from './fulfillment-requests.ts';
import { type Draft, draftFulfillmentOrder } from './fulfillment-order-parts.ts';
import { toGid } from './gid.ts';
import { holdFulfillmentOrder, releaseHolds } from './hold-fulfillment-order.ts';
import { importOrder } from './import-order.ts';
import { recordedOrderSchema } from './recorded-order.ts';
import type { Order, Shop } from './state.ts';
import type { Store } from './store.ts';
import { toControlOrder } from './to-control-order.ts';

const importSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  order: recordedOrderSchema,
  payable: z.boolean().default(false),
});
const cancelSchema = z.strictObject({ reason: z.string().default('CUSTOMER'), refund: z.boolean().default(true) });
const unitsSchema = z.array(z.strictObject({ id: z.string(), quantity: z.int().min(1) })).min(1);
const refundSchema = z.strictObject({ lines: unitsSchema, note: z.string().nullable().default(null) });
/** Without an id the act is done on every fulfillment order of the order that allows it. */
const fulfillmentOrderSchema = z.strictObject({
  fulfillmentOrderId: z.string().optional(),
  message: z.string().nullable().default(null),
  reason: z.string().default('OTHER'),
});

type FulfillmentOrderAct = (shop: Shop, draft: Draft, input: z.output<typeof fulfillmentOrderSchema>) => void;

/** Adds the doors that make orders, show them and do with them what a buyer or a merchant does. */
export function addOrderDoors(router: Router, store: Store): void {
  router.get('/orders', (ctx) => {
    const { shop } = ctx.query;
    ctx.body = store
      .orders()
      .filter((order) => shop === undefined || order.shop === shop)
      .map(toControlOrder);
  });
  router.get('/orders/:id', (ctx) => {
    ctx.body = toControlOrder(findOrder(store, ctx));
  });
  router.post('/orders', (ctx) => {
    const input = parseOrRefuse(orderInputSchema, jsonOf(ctx));
    ctx.status = 201;
    ctx.body = toControlOrder(createOrder(store, findShop(store, input.shop), input));
  });
  router.post('/import', (ctx) => {
    const { shop, order, payable } = parseOrRefuse(importSchema, jsonOf(ctx));
    ctx.status = 201;
    ctx.body = toControlOrder(importOrder(store, findShop(store, shop), order, payable));
  });
  const onOrder = (path: string, act: (shop: Shop, order: Order, ctx: Context) => unknown) =>
    router.post(`/orders/:id/${path}`, (ctx) => {
      const order = findOrder(store, ctx);
      orConflict(() => act(findShop(store, order.shop), order, ctx));
      ctx.body = toControlOrder(findOrder(store, ctx));
    });
  const onFulfillmentOrders = (path: string, act: FulfillmentOrderAct) =>
    onOrder(path, (shop, order, ctx) => {
      const input = parseOrRefuse(fulfillmentOrderSchema, optionalJson(ctx));
      actOnAll(store, shop, order, input, act);
    });
  onOrder('cancel', (shop, order, ctx) =>
    cancelOrder(store, shop, order, parseOrRefuse(cancelSchema, optionalJson(ctx))),
  );
  onOrder('pay', (_, order) => payOrder(store, order));
  onOrder('refund', (_, order, ctx) => {
    const { lines, note } = parseOrRefuse(refundSchema, jsonOf(ctx));
    refundOrder(store, order, lines, note);
  });
  onOrder('edit', (shop, order, ctx) => editOrder(store, shop, order, parseOrRefuse(editSchema, jsonOf(ctx))));
  onFulfillmentOrders('hold', (shop, draft, { message, reason }) =>
    holdFulfillmentOrder(store, shop, draft, { handle: null, reason, reasonNotes: message, heldByApp: false }),
  );
  onFulfillmentOrders('release', (_, draft) => releaseHolds(store, draft));
  onFulfillmentOrders('request-fulfillment', (shop, draft, { message }) =>
    submitFulfillmentRequest(store, shop, draft, { message }),
  );
  onFulfillmentOrders('request-cancellation', (shop, draft, { message }) =>
    submitCancellationRequest(store, shop, draft, message),
  );
}

/** The order of a path, by its GID or by the GID's digits. */
function findOrder(store: Store, ctx: RouterContext): Order {
  const id = String(ctx.params['id']);
  const order = store.order(/^\d+$/.test(id) ? toGid('Order', id) : id);
  if (order) return order;
  throw new Refusal(404, 'not_found', `There is no order ${id}.`);
}

/** Throws the 409 when not one fulfillment order allows the act. */
function actOnAll(
  store: Store,
  shop: Shop,
  order: Order,
  input: z.output<typeof fulfillmentOrderSchema>,
  act: FulfillmentOrderAct,
): void {
  const wanted = order.fulfillmentOrders.filter(({ id }) => (input.fulfillmentOrderId ?? id) === id);
  const refusals = wanted.flatMap(({ id }) => {
    try {
      act(shop, draftFulfillmentOrder(store, shop, id), input);
      return [];
    } catch (error) {
      if (error instanceof UserError) return [error];
      throw error;
    }
  });
  if (refusals.length === wanted.length) {
    throw refusals[0] ?? new UserError(null, 'The order has no such fulfillment order.');
  }
}

/** Runs an act; what the store's own mutations would refuse in `userErrors` is a 409 here. */
function orConflict(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error instanceof UserError) throw new Refusal(409, 'conflict', error.message);
    throw error;
  }
}

/** The body, or an empty object when there is none. */
function optionalJson(ctx: Context): unknown {
  return textOf(ctx) === '' ? {} : jsonOf(ctx);
}
