import type { App } from '../app.ts';
import { PrintWebhookTokens, Shops, ShopTokens } from '../database/shops.ts';
import type { Shop } from '../database/shops.ts';

/**
 * The merchant removed Platen: the tokens and webhook addresses are deleted, the shop's jobs end by themselves when they read its state.
 * Safe to call twice. `at` is when that happened in the store: news older than the latest sign-in changes nothing, since the shop has
 * installed Platen again.
 */
export async function uninstallShop(app: App, shop: Pick<Shop, 'id'>, at: Date = app.now()): Promise<void> {
  await app.db.transaction(async (manager) => {
    const shops = manager.getRepository(Shops);
    const current = await shops.findOne({ where: { id: shop.id }, lock: { mode: 'for_no_key_update' } });
    if (!current || current.state === 'uninstalled') return;
    const token = await manager.getRepository(ShopTokens).findOneBy({ shopId: shop.id });
    if (token && token.updatedAt > at) return;
    await manager.getRepository(ShopTokens).delete({ shopId: shop.id });
    await manager.getRepository(PrintWebhookTokens).delete({ shopId: shop.id });
    // The store deletes an app's fulfilment service and its location with the app.
    const gone = { fulfillmentServiceId: null, locationId: null };
    await shops.update({ id: shop.id }, { ...gone, state: 'uninstalled', uninstalledAt: app.now() });
  });
}
