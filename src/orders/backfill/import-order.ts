import type { App } from '../../app.ts';
import type { Backfill } from '../../database/entities/backfills.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PlacedOrder } from '../../shopify/calls/orders.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { isBackfilled } from '../plan/decide/to-plan-input.ts';
import { findOrCreateOrder } from '../intake/receive-order.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { BULK } from '../../jobs/priorities.ts';

/** Returns whether a backfill can skip an order because Platen already handles it or because its customer data was erased. */
export async function canSkipOrder(app: App, shop: Shop, backfill: Backfill, order: PlacedOrder): Promise<boolean> {
  const known = await app.db.manager.findOneBy(StorefrontOrders, { shopId: shop.id, shopifyOrderId: order.id });
  if (!known) return false;
  if (known.redactedAt !== null) return true;
  // A page that is repeated after a crash contains orders that were imported but not counted. Handling them again counts them.
  if (known.backfillId === backfill.id) return false;
  if (isBackfilled(shop, known)) return true;
  const needsNoBackfill = Date.parse(order.createdAt) >= shop.takesOrdersFrom.getTime();
  return needsNoBackfill && known.readAt !== null;
}

/** Stores an order and marks it as backfilled, so that the plan accepts an order from before the installation. Safe to repeat. */
export async function importOrder(app: App, shop: Shop, backfill: Backfill, order: PlacedOrder): Promise<void> {
  const { id: shopifyOrderId, name, createdAt } = order;
  await app.db.transaction(async (manager) => {
    const storefrontOrderId = await findOrCreateOrder(app, manager, shop, shopifyOrderId, {
      name,
      placedAt: new Date(createdAt),
    });
    const [named]: [unknown[], number] = await manager.query(
      `update storefront_orders set backfill_id = $2, backfilled_at = $3 where id = $1 and backfill_id is distinct from $2 returning id`,
      [storefrontOrderId, backfill.id, app.clock.now()],
    );
    if (named.length === 0) return;
    await writeTimeline(manager, {
      shopId: shop.id,
      storefrontOrderId,
      kind: 'backfilled',
      message: `Imported by the backfill of orders placed since ${backfill.since.toISOString()}.`,
      data: { backfillId: backfill.id },
      by: backfill.askedBy,
    });
    // The plan has a low priority, so that new orders do not wait behind it.
    await enqueuePlan(manager, storefrontOrderId, undefined, BULK);
  });
}
