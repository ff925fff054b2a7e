import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { OtherAppStores, type Shop } from '../../database/entities/shops.ts';
import { enqueueResumeShop } from '../../shops/enqueue-shop-jobs.ts';

/**
 * Records that the merchant allows another app to print through the same print account, and resumes this shop's orders.
 * Returns false if no app was waiting for this permission.
 */
export async function allowOtherApp(app: App, { id: shopId }: Pick<Shop, 'id'>): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    const { affected } = await manager.update(
      OtherAppStores,
      { shopId, allowedAt: IsNull() },
      { allowedAt: app.clock.now() },
    );
    if (affected === 0) return false;
    await enqueueResumeShop(manager, shopId);
    return true;
  });
}
