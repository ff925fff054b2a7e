import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { Deliveries } from '../../database/entities/deliveries.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError, NotFoundError, NotPossibleError, PlatenError } from '../../errors.ts';
import { levelOf } from '../../log.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { receiveDelivery } from '../../inbox/receive-delivery.ts';
import { performManualAction } from '../../orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../orders/manual-actions/hold-actions.ts';
import { ORDER_ID, toOrderGid } from '../../orders/facts/order-gid.ts';
import { findOrCreateOrder } from '../../orders/intake/receive-order.ts';
import { orderExists } from '../../shopify/calls/orders.ts';
import { findShopByDomain } from '../../shops/find-shop.ts';
import { hasLeftShop } from '../../shops/install/has-left-shop.ts';
import { saveTriggerUse } from '../../shops/flow-triggers.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { toStorableTime } from '../../to-storable-time.ts';
import { admitRequest } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { readRawBody } from '../raw-body.ts';
import { withTimeLimit } from '../with-time-limit.ts';
import { refuseUnsigned } from './shopify-webhooks.ts';

const BODY_LIMIT = 64 * 1024;
const MAX_ID_LENGTH = 200;
const MAX_TRIES = 3;
/** How long the store is asked about an unknown order. Flow waits ten seconds for the response. */
const ASK_MS = 6_000;
const ASK_AGAIN_MS = 2_000;

type FlowLimits = Pick<Limits, 'flow' | 'unidentified'>;

const domainSchema = z.string().min(1).max(255).toLowerCase();

const useSchema = z.object({
  flow_trigger_definition_id: z
    .union([z.int(), z.string()])
    .transform(String)
    .pipe(z.string().min(1).max(MAX_ID_LENGTH)),
  has_enabled_flow: z.boolean(),
  shopify_domain: domainSchema,
  timestamp: z.string().transform((text, ctx) => {
    const time = toStorableTime(new Date(text));
    if (time !== null) return time;
    ctx.addIssue({ code: 'custom', message: 'is not a time' });
    return z.NEVER;
  }),
});

const runSchema = z.object({
  shopify_domain: domainSchema,
  action_run_id: z.string().min(1).max(MAX_ID_LENGTH),
  properties: z.object({
    order_id: z
      .union([z.int(), z.string()])
      .transform(String)
      .pipe(z.string().max(MAX_ID_LENGTH, { abort: true }).regex(ORDER_ID)),
  }),
});

/**
 * `POST /flow/trigger-use`: Shopify Flow reports whether a shop has an enabled workflow that starts with one of Platen's triggers. If the
 * response is not a 2xx, the merchant cannot enable the workflow.
 */
export function flowTriggerUse(app: App, limits: FlowLimits): Middleware {
  return async (ctx) => {
    const { body } = await readSigned(app, limits, ctx);
    const use = parse(useSchema, body);
    admitRequest(limits.flow, ctx, use.shopify_domain, 503);
    await saveTriggerUse(app, {
      shop: use.shopify_domain,
      trigger: use.flow_trigger_definition_id,
      isUsed: use.has_enabled_flow,
      at: use.timestamp,
    });
    ctx.body = {};
  };
}

/**
 * `POST /flow/send-now`, `POST /flow/hold` and `POST /flow/cancel`: a workflow in Shopify Flow acts on an order. Flow retries after a 5xx
 * response, so a run that was already handled changes nothing. A 4xx ends the run, and Flow's log shows the response.
 */
export function flowAction(app: App, limits: FlowLimits, action: Action): Middleware {
  return async (ctx) => {
    const { body, rawBody } = await readSigned(app, limits, ctx);
    const { shopify_domain: domain, action_run_id: runId, properties } = parse(runSchema, body);
    admitRequest(limits.flow, ctx, domain, 503);
    const shop = await findShopByDomain(app, domain);
    const dedupeKey = `flow:${runId}`;
    const isDone = await app.db.manager.existsBy(Deliveries, { source: 'shopify', shopId: shop.id, dedupeKey });
    if (!isDone) {
      const order = toOrderGid(properties.order_id) ?? properties.order_id;
      await act(app, shop, action, order);
      // Recorded after the action, which is safe to repeat, so that a run that fails in between is not lost.
      await receiveDelivery(app, {
        source: 'shopify',
        shopId: shop.id,
        dedupeKey,
        topic: `flow/${action}`,
        eventId: null,
        resourceIds: { order },
        body: null,
        bodySha256: hash('sha256', rawBody),
        occurredAt: null,
        receivedAt: app.clock.now(),
        result: 'handled',
      });
    }
    ctx.body = {};
  };
}

async function act(app: App, shop: Shop, action: Action, order: string, tries = MAX_TRIES): Promise<void> {
  if (shop.state === 'uninstalled' || hasLeftShop(shop))
    throw new NotPossibleError('shop_left', 'Platen no longer prints for this store.');
  if (await isMissing(app, shop, order))
    throw new NotFoundError(`The store has no order ${order.split('/').at(-1)}, or does not show it to Platen.`);
  // A workflow may run before the webhook about a new order arrives. The action enqueues the order's first plan itself, so that the plan
  // cannot run before the action.
  await app.db.transaction((manager) => findOrCreateOrder(app, manager, shop, order, {}));
  const run = { order, action, printOrder: null, by: 'flow' } as const;
  const result = await performManualAction(app, shop, run).catch((error: unknown) => {
    // A plan that started before this request may have deleted the row again, because the store did not have the order yet.
    if (error instanceof NotFoundError && tries > 1) return null;
    throw error;
  });
  if (result === null) return act(app, shop, action, order, tries - 1);
  // Flow shows only the response of a run that failed.
  if (result.stillHeld.length > 0)
    throw new NotPossibleError('still_held', `Approved, but still on hold: ${result.stillHeld.join(' ')}`);
}

/**
 * Returns whether neither Platen nor the store knows an order. A workflow may run before the store shows a new order, so the store is asked
 * twice. While the store is unavailable, an unknown order counts as a new one: a hold must not wait until Flow retries it.
 */
async function isMissing(app: App, shop: Shop, shopifyOrderId: string): Promise<boolean> {
  if (await app.db.manager.existsBy(StorefrontOrders, { shopId: shop.id, shopifyOrderId })) return false;
  const askTwice = async (): Promise<boolean> => {
    const admin = await openAdmin(app, shop);
    if (await orderExists(admin, shopifyOrderId)) return false;
    await app.clock.sleep(ASK_AGAIN_MS);
    return !(await orderExists(admin, shopifyOrderId));
  };
  try {
    return await withTimeLimit(app.clock, askTwice(), ASK_MS);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    app.log[levelOf(error)]({ shopId: shop.id, error }, 'an order that a workflow named could not be looked up');
    return false;
  }
}

/** Reads a request's signed body. Throws EndpointError 401 if Shopify did not sign it, and InvalidInputError if it is not a JSON object. */
async function readSigned(app: App, limits: FlowLimits, ctx: Context) {
  const rawBody = await readRawBody(ctx, BODY_LIMIT);
  const verdict = app.shopify.verifyFlowRequest(rawBody, ctx.req);
  if (!verdict.ok) throw refuseUnsigned(ctx, limits, verdict.reason);
  return { rawBody, body: parseJsonObject(rawBody) };
}

/** Throws an InvalidInputError that names the field but never its value. */
function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const field = error.issues[0]?.path.join('.') || 'body';
  throw new InvalidInputError(field, `${field} is missing or invalid.`);
}
