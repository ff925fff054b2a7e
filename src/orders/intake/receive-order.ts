import { EntityNotFoundError, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { hasDueJobSql } from '../../jobs/has-job.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { toStorableTime } from '../../to-storable-time.ts';
import { redactIfRequested } from '../privacy/redact-if-requested.ts';

/** The number of attempts to find a row that other jobs delete and add. */
const MAX_TRIES = 5;

/** Order data that only the poll provides. From a webhook, Platen uses only the order's ID. */
export interface OrderHint {
  name?: string;
  placedAt?: Date;
}

/** Stores an order once and enqueues its plan. Safe to call in any sequence and more than once. */
export async function receiveOrder(
  app: App,
  shop: Pick<Shop, 'id'>,
  shopifyOrderId: string,
  hint: OrderHint = {},
): Promise<void> {
  if (await isPlannedNext(app, shop, shopifyOrderId)) return;
  await app.db.transaction(async (manager) => {
    await enqueuePlan(manager, await findOrCreateOrder(app, manager, shop, shopifyOrderId, hint));
  });
}

/**
 * Returns whether a planning job for the order is already due. That job reads the order, so it also covers the changes that further
 * webhooks report.
 */
async function isPlannedNext({ db }: App, shop: Pick<Shop, 'id'>, shopifyOrderId: string): Promise<boolean> {
  const orders: unknown[] = await db.query(
    `select from storefront_orders o where o.shop_id = $1 and o.shopify_order_id = $2 and ${hasDueJobSql("'plan:' || o.id")}`,
    [shop.id, shopifyOrderId],
  );
  return orders.length > 0;
}

/** Returns the ID of the order's row, and creates the row if necessary. No job can delete the row before the transaction ends. */
export async function findOrCreateOrder(
  app: App,
  manager: EntityManager,
  { id: shopId }: Pick<Shop, 'id'>,
  shopifyOrderId: string,
  hint: OrderHint,
): Promise<string> {
  const where = { shopId, shopifyOrderId };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const [created]: { id: string }[] = await manager.query(
      `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, $2, $3, $4)
       on conflict (shop_id, shopify_order_id) do nothing returning id`,
      [shopId, shopifyOrderId, hint.name ?? '', toStorableTime(hint.placedAt ?? app.clock.now()) ?? app.clock.now()],
    );
    if (created) {
      await redactIfRequested(app, manager, { id: created.id, shopId, shopifyOrderId });
      return created.id;
    }
    const known = await manager.findOne(StorefrontOrders, { where, lock: { mode: 'for_key_share' } });
    if (known) return known.id;
    // `closeMissingOrder` deleted the row between the two statements.
  }
  throw new EntityNotFoundError(StorefrontOrders, where);
}
