import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { refreshGrantedScopes, settingScopes } from './scopes.ts';

/**
 * Runs `act`, which needs the permissions for these settings. Platen has recorded the permissions as granted, but the store may have
 * revoked one since. If so, the revocation is recorded and the result is `refused`. If `act` fails for any other reason, or is denied
 * although all permissions are still granted, its error is rethrown.
 */
export async function runIfPermitted<Result>(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  settings: readonly (keyof typeof settingScopes)[],
  act: () => Promise<Result>,
): Promise<Result | 'refused'> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'access_denied') throw error;
    const granted = await refreshGrantedScopes(app, shop);
    if (settings.every((setting) => granted.has(settingScopes[setting]))) throw error;
    return 'refused';
  }
}
