import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { chooseMethod } from '../../orders/manual-actions/changes/choose-method.ts';
import { offerShipping } from '../../orders/manual-actions/changes/offer-shipping.ts';
import { findOrder } from '../../orders/manual-actions/find-order.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';
import { orderOf } from './orders.ts';

const BODY_LIMIT = 4 * 1024;

const uid = z.string().min(1).max(255);
const MAX_PARTS = 50;
export const chooseSchema = z.strictObject({
  method: z.union([uid, z.array(uid).min(1).max(MAX_PARTS)]).nullable(),
});

/**
 * `GET /api/orders/:id/shipping`: the shipping methods that the print service offers now for the items that have not been sent to print
 * yet, with their prices and delivery dates, and the rule that chose the current method. A 409 response explains with a code and a message
 * why the method can no longer change.
 */
export function getOrderShipping(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    ctx.body = await offerShipping(app, shop, await findOrder(app, shop, orderOf(ctx)));
  };
}

/**
 * `POST /api/orders/:id/shipping` with `{"method"}`: chooses the shipping method, by its UID, for all items that have not been sent to
 * print yet. A list contains one UID for each part that `GET` returns. With `null`, the shop's rules choose again. The status is 400 if the
 * print service does not offer the method now, and 409 if the method can no longer change.
 */
export function postOrderShipping(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const order = await findOrder(app, shop, orderOf(ctx));
    const asked = chooseSchema.safeParse(parseJsonObject(await readRawBody(ctx, BODY_LIMIT)));
    if (!asked.success)
      throw new InvalidInputError(
        'method',
        'method: must be the UID of a shipping method, a list with one UID for each part, or null for the rules.',
      );
    const { method } = asked.data;
    const methods = typeof method === 'string' ? [method] : method;
    ctx.body = await chooseMethod(app, shop, order, { methods, by: 'merchant' });
  };
}
