import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { performManualAction } from '../../orders/manual-actions/perform-manual-action.ts';
import { allowOtherApp } from '../../orders/manual-actions/allow-other-app.ts';
import { findOrder } from '../../orders/manual-actions/find-order.ts';
import { actions, type Action } from '../../orders/manual-actions/hold-actions.ts';
import { showRecipients } from '../../orders/manual-actions/show-recipients.ts';
import { showOrder } from '../../orders/manual-actions/show-order.ts';
import { listReceipts } from '../../orders/costs/list-receipts.ts';
import { listOrdersPage } from '../../orders/lists/list-orders.ts';
import { orderLabels } from '../../orders/facts/to-order-state.ts';
import { unknownAddressError } from '../error-response.ts';
import { readAfter } from '../read-after.ts';
import { parsePeriod } from '../../orders/costs/list-costs.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 4 * 1024;
const DIGITS = /^[1-9]\d{0,19}$/;

export const actionBodySchema = z.strictObject({ printOrder: z.string().min(1).max(64).nullish() });

const MAX_SEARCHED = 100;
export const filterSchema = z.object({
  state: z.enum(orderLabels).nullish(),
  hold: z.string().max(60).nullish(),
  search: z.string().max(MAX_SEARCHED).nullish(),
  since: z.string().max(40).nullish(),
  until: z.string().max(40).nullish(),
  sort: z.enum(['newest', 'oldest']).nullish(),
});

/** `GET /api/orders/:id/recipients`: the address and print files of each of an order's print orders, and how each address was adapted. */
export function getOrderRecipients(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    ctx.body = await showRecipients(app, shop, await findOrder(app, shop, orderOf(ctx)));
  };
}

/**
 * `GET /api/orders?state=&hold=&search=&since=&until=&sort=&after=`: a page of the shop's orders, newest first by default, each as in
 * `platen orders list`.
 */
export function getOrders(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const names = ['state', 'hold', 'search', 'since', 'until', 'sort'] as const;
    const asked = filterSchema.safeParse(Object.fromEntries(names.map((name) => [name, ctx.query[name] || null])));
    if (!asked.success) throw toFilterError(asked.error);
    const { state = null, hold = null, search = null, since = null, until = null, sort } = asked.data;
    const period = parsePeriod({ since, until }, shop);
    const after = readAfter(ctx, 'storeId');
    ctx.body = await listOrdersPage(app, shop, {
      state,
      hold,
      search: search?.trim() === '' ? null : search,
      placedSince: period.since,
      placedUntil: period.until,
      isOldestFirst: sort === 'oldest',
      after,
    });
  };
}

function toFilterError(error: z.ZodError): InvalidInputError {
  const field = String(error.issues[0]?.path[0] ?? 'state');
  const allowed: Record<string, string> = {
    state: `must be one of ${orderLabels.join(', ')}`,
    sort: 'must be newest or oldest',
    search: `must be at most ${MAX_SEARCHED} characters`,
  };
  return new InvalidInputError(field, `${field}: ${allowed[field] ?? 'is too long'}.`);
}

/** `GET /api/orders/:id`: one order with its holds, print orders and timeline. `:id` is the numeric part of the order's ID in the store. */
export function getOrder(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await showOrder(app, await findOrder(app, sessionShop(ctx), orderOf(ctx)));
  };
}

/** `GET /api/orders/:id/receipts`: all receipts that the print service has returned for the order, with all fields. */
export function getOrderReceipts(app: App): Middleware {
  return async (ctx) => {
    const order = await findOrder(app, sessionShop(ctx), orderOf(ctx));
    ctx.body = { receipts: await listReceipts(app, order) };
  };
}

/**
 * `POST /api/orders/:id/:action` with `{"printOrder"?}`: performs an action on an order. A 409 response explains with a code and a message
 * why the action is not possible now.
 */
export function postOrderAction(app: App): Middleware {
  return async (ctx) => {
    const { action = '' } = ctx['params'] as Record<string, string>;
    if (!isAction(action)) throw unknownAddressError();
    const shop = sessionShop(ctx);
    const body = await readRawBody(ctx, BODY_LIMIT);
    const asked = actionBodySchema.safeParse(body.length === 0 ? {} : parseJsonObject(body));
    if (!asked.success)
      throw new InvalidInputError('printOrder', 'printOrder: must be the reference of a print order.');
    const { printOrder = null } = asked.data;
    ctx.body = await performManualAction(app, shop, { order: orderOf(ctx), action, printOrder, by: 'merchant' });
  };
}

/** `POST /api/settings/allow-other-app`: allows printing even though another app uses the same print account. */
export function postAllowOtherApp(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { allowed: await allowOtherApp(app, sessionShop(ctx)) };
  };
}

function isAction(action: string): action is Action {
  return (actions as readonly string[]).includes(action);
}

/** Returns the GID of the order in the path. Throws NotFoundError if the path contains no valid order ID. */
export function orderOf(ctx: Context): string {
  const { id = '' } = ctx['params'] as Record<string, string>;
  if (!DIGITS.test(id)) throw new NotFoundError('There is no such order.');
  return `gid://shopify/Order/${id}`;
}
