import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { OtherAppStores, type Shop } from '../../database/entities/shops.ts';

/**
 * Lets another app print orders of the same print account beside Platen, as the merchant decided: this shop's orders resume.
 * Returns whether there was such an app that was not allowed yet.
 */
export async function allowOtherApp(app: App, { id: shopId }: Pick<Shop, 'id'>): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    const { affected } = await manager.update(
      OtherAppStores,
      { shopId, allowedAt: IsNull() },
      { allowedAt: app.now() },
    );
    if (affected === 0) return false;
    await app.jobs.enqueue(manager, 'resume_shop', { shopId });
    return true;
  });
}
