import type { DataSource } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { requiredScopes } from '../../shopify/auth/access-scopes.ts';
import { installShop } from './install.ts';
import { readGrantedScopes } from '../tokens/scopes.ts';
import { hasLeftShop, ShopLeftError } from './has-left-shop.ts';

/** The sign-ins in progress in this process, by the shop's domain. */
const signInsInProgress = new WeakMap<DataSource, Map<string, Promise<Shop>>>();

/**
 * Finds the shop for a verified session token. An installed shop with a token, a location and the required scopes is returned without a
 * call to the store. Otherwise, the session token is exchanged, and the shop is installed or signed in again. Concurrent requests in this
 * process share one sign-in. A shop for which Platen was stopped (`platen leave`) resumes only with `resumes`, which means that a person
 * has requested it. Throws ShopLeftError, InvalidSessionTokenError and ShopifyError.
 */
export async function signIn(
  app: App,
  { resumes = false, ...request }: { domain: string; sessionToken: string; resumes?: boolean },
): Promise<Shop> {
  const { domain } = request;
  const kept = await app.db.getRepository(Shops).findOneBy({ domain });
  if (kept && (await isSignedIn(app, kept))) return kept;
  if (kept && hasLeftShop(kept) && !resumes) throw new ShopLeftError(kept);
  const ofDatabase = signInsInProgress.get(app.db) ?? new Map<string, Promise<Shop>>();
  signInsInProgress.set(app.db, ofDatabase);
  const running = ofDatabase.get(domain) ?? installShop(app, request).finally(() => ofDatabase.delete(domain));
  ofDatabase.set(domain, running);
  return running;
}

async function isSignedIn(app: App, shop: Shop): Promise<boolean> {
  if (shop.state !== 'installed' || shop.locationId === null) return false;
  const granted = await readGrantedScopes(app, shop);
  return requiredScopes.every((scope) => granted.has(scope));
}
