import { createSessionToken } from '../../sandbox/demo.ts';
import type { App } from '../../src/app.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import { installShop } from '../../src/shops/install/install.ts';

/** Opens the app in the store's admin if the shop must sign in, because another database has used its tokens. */
export async function signInAgain(app: App, { id, domain }: Pick<Shop, 'id' | 'domain'>): Promise<void> {
  const { state } = await findShop(app, id);
  if (state === 'needs_sign_in')
    await installShop(app, { domain, sessionToken: createSessionToken(app.config.shopify) });
}
