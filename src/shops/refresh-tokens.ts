import type { App } from '../app.ts';
import { Shops } from '../database/shops.ts';
import { openAdmin } from './tokens.ts';

/** Renews the tokens of quiet shops: a refresh token that nobody uses for 90 days would be lost. */
export async function refreshTokens(app: App): Promise<void> {
  for (const shop of await app.db.manager.findBy(Shops, { state: 'installed' })) {
    try {
      await openAdmin(app, shop);
    } catch (error) {
      app.log.warn({ shopId: shop.id, error }, 'the token of a shop could not be renewed');
    }
  }
}
