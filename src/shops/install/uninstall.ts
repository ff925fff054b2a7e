import type { App } from '../../app.ts';
import { PrintWebhookTokens, Shops, ShopTokens } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { closeUnsentOrders } from './close-unsent-orders.ts';
import { forgetConnectionMetafields } from './forget-connection-metafields.ts';

/**
 * Uninstalls a shop after the merchant removed Platen. Deletes the tokens, the webhook addresses and the recipients of alerts, and closes
 * unsent print orders, in one transaction. The shop's jobs end when they next read the shop's state, which they do before every call to the
 * store and every step at the print service. Safe to repeat. Returns false and changes nothing if the shop has signed in after `at`.
 * Without `at`, always uninstalls the shop.
 */
export async function uninstallShop(app: App, shop: Pick<Shop, 'id'>, at?: Date): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    // The timeout is longer than a token refresh, which locks the row with the shop's tokens.
    await manager.query("set local lock_timeout = '25s'");
    const shops = manager.getRepository(Shops);
    const current = await shops.findOne({ where: { id: shop.id }, lock: { mode: 'for_no_key_update' } });
    if (!current || current.state === 'uninstalled') return true;
    if (at && current.signedInAt > at) return false;
    await manager.getRepository(ShopTokens).delete({ shopId: shop.id });
    await manager.getRepository(PrintWebhookTokens).delete({ shopId: shop.id });
    // When the app is removed, the store also deletes its fulfillment service, its location and its carrier service.
    const gone = { fulfillmentServiceId: null, locationId: null, adminRefusedAt: null, signedOutAt: null };
    const withoutRates = { carrierServiceId: null, ratesTokenHash: null, ratesProblem: null };
    await shops.update(
      { id: shop.id },
      { ...gone, ...withoutRates, state: 'uninstalled', uninstalledAt: app.clock.now() },
    );
    await manager.query('delete from alert_channels where shop_id = $1', [shop.id]);
    await manager.query(
      `update shops set settings = settings - 'alertEmails', alert_slack_url_encrypted = null where id = $1`,
      [shop.id],
    );
    await forgetConnectionMetafields(manager, shop.id);
    await closeUnsentOrders(manager, shop.id, { reason: 'uninstalled', now: app.clock.now() });
    return true;
  });
}
