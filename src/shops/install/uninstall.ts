import type { App } from '../../app.ts';
import { PrintWebhookTokens, Shops, ShopTokens } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { closeUnsent } from './close-unsent.ts';
import { forgetWritten } from './forget-written.ts';

/**
 * The merchant removed Platen: the tokens and webhook addresses are deleted and what was not sent to print is closed, all at once. The
 * shop's jobs end by themselves when they read its state, as every call to the store and every step at the print service does first.
 * Safe to call twice. False, and nothing changes, when the shop has signed in after `at`; without `at` that is not looked at.
 */
export async function uninstallShop(app: App, shop: Pick<Shop, 'id'>, at?: Date): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    // Longer than the refresh of whoever holds the row of the tokens.
    await manager.query("set local lock_timeout = '25s'");
    const shops = manager.getRepository(Shops);
    const current = await shops.findOne({ where: { id: shop.id }, lock: { mode: 'for_no_key_update' } });
    if (!current || current.state === 'uninstalled') return true;
    if (at && current.signedInAt > at) return false;
    await manager.getRepository(ShopTokens).delete({ shopId: shop.id });
    await manager.getRepository(PrintWebhookTokens).delete({ shopId: shop.id });
    // The store deletes an app's fulfilment service with its location, and its carrier service, with the app.
    const gone = { fulfillmentServiceId: null, locationId: null, adminRefusedAt: null, signedOutAt: null };
    const withoutRates = { carrierServiceId: null, ratesTokenHash: null, ratesProblem: null };
    await shops.update({ id: shop.id }, { ...gone, ...withoutRates, state: 'uninstalled', uninstalledAt: app.now() });
    await forgetWritten(manager, shop.id);
    await closeUnsent(manager, shop.id, { reason: 'uninstalled', now: app.now() });
    return true;
  });
}
