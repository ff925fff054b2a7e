import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { enqueueResumeShop } from '../enqueue-shop-jobs.ts';

/**
 * Disconnects a shop from its print account. New orders are held until the shop has a key again. Orders that were already sent are still
 * followed with the previous key. Returns whether there was an account to disconnect.
 */
export async function disconnectPrintAccount(app: App, { id }: Pick<Shop, 'id'>): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    const shop = await manager.findOneOrFail(Shops, { where: { id }, lock: { mode: 'for_no_key_update' } });
    if (shop.printAccountId === null) return false;
    await manager.update(Shops, { id }, { printAccountId: null });
    await enqueueResumeShop(manager, id);
    return true;
  });
}
