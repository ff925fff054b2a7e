import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import { mailingAddressInputSchema, toAddress } from './address.ts';
import { cancelOrder, deleteOrder, payOrder, refundOrder } from './change-order.ts';
import { findShop } from '../shop/find-shop.ts';
import { createOrder, orderInputSchema, priceSchema } from './create-order.ts';
import { editOrder, editSchema } from './edit-order.ts';
import { importOrder } from '../import/import-order.ts';
import { addOrderEndpoint, findOrder, optionalJson } from './order-endpoint.ts';
import { recordedOrderSchema } from '../import/recorded-order.ts';
import { declineEditSchema, endEdit, requestEdit, requestEditSchema, resolveEditSchema } from './requested-edits.ts';
import { changeRisk, riskSchema } from './risk.ts';
import { saveOrder } from './save-order.ts';
import type { Store } from '../store.ts';
import { toControlOrder } from './to-control-order.ts';

const importSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  order: recordedOrderSchema,
  payable: z.boolean().default(false),
});
/** `OrderCancelReason` of the Admin API. */
const cancelReasons = ['CUSTOMER', 'DECLINED', 'FRAUD', 'INVENTORY', 'OTHER', 'STAFF'] as const;
const cancelSchema = z.strictObject({
  reason: z.enum(cancelReasons).default('CUSTOMER'),
  refund: z.boolean().default(true),
});
const riskChangeSchema = z.strictObject({ risk: riskSchema });
const unitsSchema = z.array(z.strictObject({ id: z.string(), quantity: z.int().min(1) })).min(1);
/**
 * Without any field, the endpoint refunds everything that has not been refunded yet, including shipping. With only an amount or shipping,
 * it refunds no lines.
 */
const refundSchema = z.strictObject({
  lines: unitsSchema.optional(),
  amount: priceSchema.optional(),
  shipping: priceSchema.optional(),
  restock: z.boolean().default(true),
  note: z.string().nullable().default(null),
});
const addressSchema = z.strictObject({ shippingAddress: mailingAddressInputSchema.nullable() });
/** Adds the endpoints that create and show orders and perform the actions of a buyer or a merchant on them. */
export function addOrderEndpoints(router: Router, store: Store): void {
  router.get('/orders', (ctx) => {
    const { shop } = ctx.query;
    ctx.body = store
      .orders()
      .filter((order) => shop === undefined || order.shop === shop)
      .map((order) => toControlOrder(store, order));
  });
  router.get('/orders/:id', (ctx) => {
    ctx.body = toControlOrder(store, findOrder(store, ctx));
  });
  router.delete('/orders/:id', (ctx) => {
    const order = findOrder(store, ctx);
    deleteOrder(store, order);
    ctx.body = { id: order.id, deleted: true };
  });
  router.post('/orders', (ctx) => {
    const input = parseOrRefuse(orderInputSchema, jsonOf(ctx));
    ctx.status = 201;
    ctx.body = toControlOrder(store, createOrder(store, findShop(store, input.shop), input));
  });
  router.post('/import', (ctx) => {
    const { shop, order, payable } = parseOrRefuse(importSchema, jsonOf(ctx));
    ctx.status = 201;
    ctx.body = toControlOrder(store, importOrder(store, findShop(store, shop), order, payable));
  });
  const onOrder = (path: string, act: Parameters<typeof addOrderEndpoint>[3]) =>
    addOrderEndpoint(router, store, path, act);
  onOrder('cancel', (shop, order, ctx) =>
    cancelOrder(store, shop, order, parseOrRefuse(cancelSchema, optionalJson(ctx))),
  );
  onOrder('risk', (_, order, ctx) => changeRisk(store, order, parseOrRefuse(riskChangeSchema, jsonOf(ctx)).risk));
  onOrder('pay', (_, order) => payOrder(store, order));
  onOrder('refund', (_, order, ctx) => {
    refundOrder(store, order, parseOrRefuse(refundSchema, optionalJson(ctx)));
  });
  onOrder('address', (_, order, ctx) => {
    const { shippingAddress } = parseOrRefuse(addressSchema, jsonOf(ctx));
    saveOrder(store, { ...order, shippingAddress: shippingAddress && toAddress(shippingAddress) }, []);
  });
  onOrder('request-edit', (_, order, ctx) => {
    const { lines } = parseOrRefuse(requestEditSchema, jsonOf(ctx));
    requestEdit(
      store,
      order,
      lines.map(({ id, quantity }) => ({ lineItemId: id, quantity })),
    );
  });
  onOrder('resolve-edit', (_, order, ctx) => {
    const { requestId: id } = parseOrRefuse(resolveEditSchema, optionalJson(ctx));
    endEdit(store, order, { id, as: 'RESOLVED' });
  });
  onOrder('decline-edit', (_, order, ctx) => {
    const { requestId: id, note } = parseOrRefuse(declineEditSchema, optionalJson(ctx));
    endEdit(store, order, { id, as: 'DECLINED', note });
  });
  onOrder('edit', (shop, order, ctx) => editOrder(store, shop, order, parseOrRefuse(editSchema, jsonOf(ctx))));
}
