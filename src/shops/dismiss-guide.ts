import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import type { Shop } from '../database/entities/shops.ts';

/** Dismisses the setup guide for everyone in the shop, or shows it again. */
export async function dismissGuide(app: App, { id }: Pick<Shop, 'id'>, isDismissed: boolean): Promise<void> {
  await app.db.getRepository(Shops).update({ id }, { guideDismissedAt: isDismissed ? app.clock.now() : null });
}
