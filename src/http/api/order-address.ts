import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { correctAddress, showAddress } from '../../orders/manual-actions/changes/correct-address.ts';
import { showUnsent } from '../../orders/manual-actions/changes/show-unsent.ts';
import { findOrder } from '../../orders/manual-actions/find-order.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';
import { orderOf } from './orders.ts';

const BODY_LIMIT = 32 * 1024;

/**
 * `GET /api/orders/:id/address`: the order's shipping address and email as the store has them now, and the field that the print service
 * does not accept. A 409 response explains with a code and a message why the address no longer matters.
 */
export function getOrderAddress(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    ctx.body = await showAddress(app, shop, await findOrder(app, shop, orderOf(ctx)));
  };
}

/**
 * `GET /api/orders/:id/unsent`: the address and the print files that Platen would use now for the items that have not been sent to print
 * yet, and how it would adapt the address. Reads the order from the store. A 409 response explains with a code and a message why nothing in
 * the order can be printed anymore.
 */
export function getOrderUnsent(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    ctx.body = await showUnsent(app, shop, await findOrder(app, shop, orderOf(ctx)));
  };
}

/**
 * `PUT /api/orders/:id/address` with the complete `address` object that `GET` returns: changes the address in the store and plans the order
 * again. A 400 response names the field that the print service or the store does not accept. A 403 response names the permission that the
 * store must grant first. The status is 409 if the address no longer matters.
 */
export function putOrderAddress(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const order = await findOrder(app, shop, orderOf(ctx));
    const given = parseJsonObject(await readRawBody(ctx, BODY_LIMIT));
    ctx.body = await correctAddress(app, shop, order, { given, by: 'merchant' });
  };
}
