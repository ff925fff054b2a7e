import { toNumericId } from '../graphql/gid.ts';
import { createSessionToken } from './session-token.ts';
import { toSignedQuery } from './signed-query.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Installs the app as the merchant would. If the app is already installed, accepts its current scopes instead. The app gets every required
 * scope and keeps the optional scopes that were granted. Each installation has its own ID.
 */
export function installApp(store: Store, shop: Shop): Shop {
  const { scopes } = store.options.app;
  if (shop.installed && scopes.every((scope) => shop.grantedScopes.includes(scope))) return shop;
  const appInstallationId = shop.installed ? shop.appInstallationId : store.newGid('AppInstallation');
  const grantedScopes = [...new Set([...scopes, ...shop.grantedScopes])];
  const installed = { ...shop, installed: true, appInstallationId, grantedScopes };
  store.write([
    ['put', 'shops', shop.domain, installed],
    ['delete', 'redactions', shop.domain],
  ]);
  return installed;
}

/** Returns the URL of the app that a shop's admin opens, with a session token that is valid for one minute. */
export function openingUrl(store: Store, shop: Shop, path = '', query: Readonly<Record<string, string>> = {}): string {
  const { appUrl } = store.options;
  const values = {
    ...query,
    embedded: '1',
    id_token: createSessionToken(store.options, shop.domain),
    locale: 'en',
    session: toNumericId(shop.id),
  };
  return `${appUrl}/${path}?${toSignedQuery(store, shop, values)}`;
}
