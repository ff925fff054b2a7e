import type { App } from '../../app.ts';
import { OrderLines, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { readStore } from './read-store.ts';
import { requestCancellations } from './reconcile-print-orders.ts';
import { fulfilledOf } from '../facts/store-quantities.ts';
import { eraseTrackingLinks } from '../privacy/erase-tracking-links.ts';

/**
 * What is done in place of a plan for an order whose customer was redacted: it keeps how much of it the store has fulfilled, and a
 * cancellation reaches the print service; nothing is decided, asked for or sent. Throws ShopifyError.
 */
export async function followRedactedOrder(
  app: App,
  shop: Shop,
  { id, shopifyOrderId }: StorefrontOrder,
): Promise<void> {
  // A push is followed by a plan: what it told the store is not needed any more.
  await eraseTrackingLinks(app.db.manager, [id], app.now());
  const reading = await readStore(app, shop, await openAdmin(app, shop), shopifyOrderId);
  if (!reading) return;
  await app.db.transaction(async (manager) => {
    await manager.findOne(StorefrontOrders, { where: { id }, lock: { mode: 'for_no_key_update' } });
    // One that was redacted as it came in has no name yet.
    await manager.update(StorefrontOrders, { id, name: '' }, { name: reading.name });
    for (const { id: shopifyLineItemId, currentQuantity: orderedQuantity } of reading.lineItems) {
      const fulfilledQuantity = fulfilledOf(reading, shopifyLineItemId);
      const line = { storefrontOrderId: id, shopifyLineItemId };
      await manager.update(OrderLines, line, { orderedQuantity, fulfilledQuantity });
    }
    if (reading.cancelledAt === null) return;
    await manager.update(StorefrontOrders, { id }, { canceledAt: new Date(reading.cancelledAt) });
    const { prints } = await readOwnRows(manager, id);
    await requestCancellations({ app, manager }, prints, 'the order was cancelled in the store');
  });
}
