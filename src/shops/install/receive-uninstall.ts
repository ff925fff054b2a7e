import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { readAccessScopes } from '../../shopify/calls/shop.ts';
import { openAdmin } from '../tokens/tokens.ts';
import { uninstallShop } from './uninstall.ts';

type ReportedShop = Pick<Shop, 'id' | 'domain'>;

/**
 * Handles a webhook's report that the merchant removed Platen at `at` (by the store's clock). The uninstall takes effect immediately. If
 * the report is false, the next sign-in resumes the shop. Platen checks with the store first only if the report appears older than the
 * latest sign-in, because the report is late or this server's clock is ahead. Throws ShopifyError while the store cannot be called.
 */
export async function receiveUninstall(app: App, shop: ReportedShop, at: Date): Promise<'handled' | 'still_installed'> {
  const isUninstalled = (await uninstallShop(app, shop, at)) || (await uninstallIfRemoved(app, shop));
  return isUninstalled ? 'handled' : 'still_installed';
}

/**
 * Uninstalls a shop whose store rejects its tokens. Returns whether the shop is now uninstalled. Does not call the store if the shop is
 * already known to need a sign-in. Throws ShopifyError while the store cannot be called.
 */
export async function uninstallIfRemoved(app: App, shop: ReportedShop): Promise<boolean> {
  const known = await app.db.getRepository(Shops).findOneBy({ id: shop.id });
  if (!known || known.state === 'uninstalled') return true;
  if (await acceptsToken(app, shop)) return false;
  // A shop that has signed in since then has installed Platen again.
  return uninstallShop(app, shop, known.signedInAt);
}

async function acceptsToken(app: App, shop: ReportedShop): Promise<boolean> {
  try {
    await readAccessScopes(await openAdmin(app, shop, { whileLeaving: true }));
    return true;
  } catch (error) {
    if (error instanceof PlatenError && error.code === 'shop_needs_sign_in') return false;
    throw error;
  }
}
