import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { readStore } from './read/read-store.ts';
import { requestCancellations } from './reconcile-print-orders.ts';
import { recordQuantities } from './write-plan.ts';
import { eraseTrackingLinks } from '../privacy/erase-tracking-links.ts';

/**
 * Runs instead of the plan for an order whose customer was redacted. Records the fulfilled quantities, and requests cancellation at the
 * print service if the order was canceled. Decides and sends nothing else. Throws ShopifyError.
 */
export async function followRedactedOrder(
  app: App,
  shop: Shop,
  { id, shopifyOrderId }: StorefrontOrder,
): Promise<void> {
  // A plan follows each push, so the store already has the tracking links when this step runs.
  await eraseTrackingLinks(app.db.manager, [id], app.clock.now());
  const reading = await readStore(app, shop, await openAdmin(app, shop), shopifyOrderId);
  if (!reading) return;
  await app.db.transaction(async (manager) => {
    await manager.findOne(StorefrontOrders, { where: { id }, lock: { mode: 'for_no_key_update' } });
    // An order that was redacted on arrival has no name yet.
    await manager.update(StorefrontOrders, { id, name: '' }, { name: reading.name });
    await recordQuantities(manager, { id }, reading);
    if (reading.cancelledAt === null) return;
    await manager.update(StorefrontOrders, { id }, { canceledAt: new Date(reading.cancelledAt) });
    const { prints } = await readOwnRows(manager, id);
    await requestCancellations({ app, manager }, prints, 'the order was canceled in the store');
  });
}
