import type { App } from '../app.ts';
import { StorefrontOrders } from '../database/orders.ts';
import type { Shop } from '../database/shops.ts';
import { enqueuePlan } from './enqueue-plan.ts';
import { writeTimeline } from './write-timeline.ts';

/** What the store's poll already knows of an order; a webhook knows its id alone. */
export interface OrderHint {
  name?: string;
  placedAt?: Date;
}

/** Takes an order in, once, and has it planned. Webhooks and polls end here; safe to repeat and in any order. */
export async function receiveOrder(
  app: App,
  shop: Pick<Shop, 'id'>,
  shopifyOrderId: string,
  hint: OrderHint = {},
): Promise<void> {
  await app.db.transaction(async (manager) => {
    const inserted: { id: string }[] = await manager.query(
      `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, $2, $3, $4)
       on conflict (shop_id, shopify_order_id) do nothing returning id`,
      [shop.id, shopifyOrderId, hint.name ?? '', hint.placedAt ?? app.now()],
    );
    const [fresh] = inserted;
    const { id } = fresh ?? (await manager.findOneByOrFail(StorefrontOrders, { shopId: shop.id, shopifyOrderId }));
    if (fresh) {
      await writeTimeline(manager, {
        shopId: shop.id,
        storefrontOrderId: id,
        kind: 'received',
        message: 'The order is received.',
        data: { shopifyOrderId },
      });
    }
    await enqueuePlan(app, manager, id);
  });
}
