import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { refreshGrantedScopes, settingScopes } from './scopes.ts';

/**
 * Runs `act`, which needs the permissions for these settings. The permissions are recorded as granted, but the store may since have
 * revoked one. In that case, the revocation is recorded, and the result is `refused`. Rethrows other errors from `act`, and also a denial
 * if all permissions are still granted.
 */
export async function ifPermitted<Result>(
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
