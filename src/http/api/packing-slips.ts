import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { NotFoundError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { parseInput } from '../../products/print-service/parse-input.ts';
import { ORDER_ID, toOrderGid } from '../../orders/facts/order-gid.ts';
import { findOrdersToPack } from '../../shipments/packing-slips/read-packing-slips.ts';
import { chooseLanguage } from '../pages/choose-language.ts';
import { readRawBody } from '../raw-body.ts';
import { signPackingSlipLink } from '../sign-in/packing-slip-link.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 8 * 1024;
const GID = 'gid://shopify/Order/';
/** With more orders, the request to the store and the document would become too large. */
const MAX_ORDERS = 50;
const RULE = `must be a list of 1 to ${MAX_ORDERS} order IDs`;

const orderIdSchema = z
  .string('must be the ID of an order')
  .max(60, { error: 'must be the ID of an order', abort: true })
  .regex(ORDER_ID, { error: 'must be the ID of an order' });

export const slipsSchema = z.strictObject({
  orders: z.array(orderIdSchema, RULE).min(1, RULE).max(MAX_ORDERS, RULE),
});

/** The response to a request for packing slips. */
export interface SlipsToPrint {
  /** The address of the page with the slips. It is valid for 15 minutes. */
  url: string;
  /** The number of slips on the page. */
  slips: number;
  /** How many of the orders have no slip. */
  ordersWithout: number;
}

/**
 * `POST /api/packing-slips` with `{"orders"}`: returns a short-lived link to a page with the packing slips of these orders. The status is
 * 404 if Platen prints no items in these orders.
 */
export function postPackingSlips(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const input = await parseInput(slipsSchema, parseJsonObject(await readRawBody(ctx, BODY_LIMIT)));
    const ids = [...new Set(input.orders.map((id) => toOrderGid(id) ?? id))];
    const found = await findOrdersToPack(app, shop, ids);
    if (found.length === 0) throw new NotFoundError('Platen prints no items in these orders.');
    const url = signPackingSlipLink(app, {
      shop: shop.domain,
      orders: found.map(({ order }) => order.shopifyOrderId.replace(GID, '')),
      locale: chooseLanguage(ctx).code,
    });
    const slips = found.reduce((sum, order) => sum + order.slips.length, 0);
    ctx.body = { url, slips, ordersWithout: ids.length - found.length } satisfies SlipsToPrint;
  };
}
