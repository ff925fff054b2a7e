import { IsNull, Not } from 'typeorm';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { Shops, type Shop } from '../../../database/entities/shops.ts';
import type { AdminApi } from '../../../shopify/admin/admin-api.ts';
import { stringUpTo } from '../../../print/lengths.ts';
import { ShopifyError, type ShopifyErrorKind } from '../../../shopify/admin/errors.ts';
import { readOrderForPlan } from '../../../shopify/calls/orders.ts';
import type { OrderForPlan } from '../../../shopify/calls/orders.ts';
import { keepFence } from '../../../shops/fence.ts';
import { canReadCustomer, refreshGrantedScopes } from '../../../shops/tokens/scopes.ts';
import { toStorableTime } from '../../../to-storable-time.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** Errors that a retry cannot fix. */
const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['access_denied', 'user_error', 'graphql']);

/**
 * Reads the order data that the plan needs. Returns null if the store does not have the order. Also reads the customer's ID if the shop's
 * settings require it and the store permits it, and the amount paid (`withSale`) if the store returns it. Throws ShopifyError, and
 * PlatenError `fenced_off`.
 */
export async function readStore(
  app: App,
  shop: Shop,
  admin: AdminApi,
  shopifyOrderId: string,
  { withSale = false } = {},
): Promise<StoreReading | null> {
  const withCustomer = await canReadCustomer(app, shop);
  try {
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer, withSale });
    if (order) await keepFence(app, shop, admin, order.fence);
    if (order) await recordEditRequestsHidden(app, shop, order.displayRequestedEditStatus === null);
    return order && toReading(order);
  } catch (error) {
    if (!(error instanceof ShopifyError)) throw error;
    const { operation, kind } = error;
    // The plan does not need the amount paid. Without the amount, only the order's margin is unknown.
    if (withSale && REFUSED.has(kind)) {
      app.log.warn({ shopifyOrderId, operation, kind }, 'the amount paid for an order could not be read');
      return readStore(app, shop, admin, shopifyOrderId);
    }
    if (!withCustomer || kind !== 'access_denied') throw error;
    // The permission was revoked, and the webhook about the change has not arrived yet.
    await refreshGrantedScopes(app, shop);
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false });
    if (order) await keepFence(app, shop, admin, order.fence);
    return order && toReading(order);
  }
}

/** Records since when the store has refused to show whether buyers have requested to remove items. */
async function recordEditRequestsHidden({ db, log, clock }: App, shop: Shop, isHidden: boolean): Promise<void> {
  if ((shop.editRequestsHiddenAt !== null) === isHidden) return;
  const { affected } = await db.manager.update(
    Shops,
    { id: shop.id, editRequestsHiddenAt: isHidden ? IsNull() : Not(IsNull()) },
    { editRequestsHiddenAt: isHidden ? clock.now() : null },
  );
  if (isHidden && affected === 1)
    log.warn({ shop: shop.domain }, 'the store does not show whether buyers have requested to remove items');
}

const id = stringUpTo(300);
const units = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const time = z.string().refine((value) => toStorableTime(new Date(value)) !== null);
/** The values of an order that Platen writes, with bounds that ensure that the database can store and index them. */
const writtenSchema = z.object({
  id,
  name: id,
  createdAt: time,
  updatedAt: time,
  cancelledAt: time.nullable(),
  lineItems: z.array(
    z.object({
      id,
      sku: id.nullable(),
      currentQuantity: units,
      unfulfilledQuantity: units,
      variant: z.object({ id }).nullable(),
      product: z.object({ id }).nullable(),
    }),
  ),
  fulfillments: z.array(
    z.object({
      id,
      createdAt: time,
      lines: z.array(z.object({ lineItem: z.object({ id }), quantity: units.nullable() })),
    }),
  ),
  fulfillmentOrders: z.array(
    z.object({ id, lines: z.array(z.object({ id, totalQuantity: units, remainingQuantity: units })) }),
  ),
});

/**
 * Converts an order from a query or a mutation's response to the form that the plan uses. Throws ShopifyError with the field if the database
 * could not store a value of the order.
 */
export function toReading(order: Omit<OrderForPlan, 'fence'>): StoreReading {
  const issue = writtenSchema.safeParse(order).error?.issues[0];
  if (issue) {
    const field = z.core.toDotPath(issue.path);
    throw new ShopifyError('unavailable', { operation: 'OrderForPlan', effect: 'none', codes: [field], field });
  }
  const { fulfillmentOrders, fulfillments, ...rest } = order;
  return {
    ...rest,
    fulfillments: fulfillments.map(({ id, createdAt, status, lines, trackingInfo }) => ({
      id,
      createdAt,
      status,
      trackingCodes: trackingInfo.flatMap(({ number }) => number ?? []),
      lines: lines.map(({ lineItem, quantity }) => ({ lineItem, quantity: quantity ?? 0 })),
    })),
    fulfillmentOrders: fulfillmentOrders.map(({ lines, merchantRequests, ...fulfillmentOrder }) => ({
      ...fulfillmentOrder,
      merchantRequests: merchantRequests.nodes,
      lineItems: lines,
    })),
  };
}
