import type { DataSource } from 'typeorm';
import type { App } from '../app.ts';
import { Shops } from '../database/shops.ts';
import type { Shop } from '../database/shops.ts';
import { requiredScopes } from '../shopify/access-scopes.ts';
import { installShop } from './install.ts';
import { readGrantedScopes } from './scopes.ts';

/** The sign-ins of this process that are under way, by the shop's domain. */
const underWay = new WeakMap<DataSource, Map<string, Promise<Shop>>>();

/**
 * The shop whose verified session token this is. One that is installed, with a token, its location and the scopes the app needs, is
 * found without any call; else the session token is exchanged and the shop installed or signed in again, by one request of this
 * process at a time: the others take what it got. Throws InvalidSessionTokenError and ShopifyError.
 */
export async function signIn(app: App, request: { domain: string; sessionToken: string }): Promise<Shop> {
  const { domain } = request;
  const known = await findSignedIn(app, domain);
  if (known) return known;
  const ofDatabase = underWay.get(app.db) ?? new Map<string, Promise<Shop>>();
  underWay.set(app.db, ofDatabase);
  const running = ofDatabase.get(domain) ?? installShop(app, request).finally(() => ofDatabase.delete(domain));
  ofDatabase.set(domain, running);
  return running;
}

async function findSignedIn(app: App, domain: string): Promise<Shop | null> {
  const shop = await app.db.getRepository(Shops).findOneBy({ domain, state: 'installed' });
  if (!shop || shop.locationId === null) return null;
  const granted = await readGrantedScopes(app, shop);
  return requiredScopes.every((scope) => granted.has(scope)) ? shop : null;
}
