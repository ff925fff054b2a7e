import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { refreshGrantedScopes, settingScopes } from './scopes.ts';

/**
 * Does what needs the permissions of these settings, which the store is known to have given. It may have taken one back unnoticed: that is
 * known from then on, and the result is `refused`. Throws whatever else `act` throws, and a denial though they are all given still.
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
