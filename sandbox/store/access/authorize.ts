import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { installApp } from './install.ts';
import { allowedScopes } from './scopes.ts';
import { toSignedQuery } from './signed-query.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

const CODE_LIFETIME_MS = 60_000;

interface AuthorizationCode {
  shop: string;
  expiresAt: number;
}

const requestSchema = z.looseObject({
  client_id: z.string(),
  redirect_uri: z.string(),
  scope: z.string().default(''),
  state: z.string().default(''),
});

/** The redirect with the code, or the text of the error page that is shown instead. */
type Authorization = { location: string } | { refused: string };

/** Handles a browser's request for an authorization code: installs the app and grants its scopes. */
export function authorize(store: Store, shop: Shop, query: unknown): Authorization {
  const request = requestSchema.safeParse(query);
  const { apiKey, appUrl, app } = store.options;
  if (!request.success || request.data.client_id !== apiKey) {
    return { refused: 'Oauth error invalid_request: Could not find Shopify API application with api_key' };
  }
  const { redirect_uri, scope, state } = request.data;
  if (!app.redirectPaths.some((path) => redirect_uri === `${appUrl}${path}`)) {
    return { refused: 'Oauth error invalid_request: The redirect_uri is not whitelisted' };
  }
  const requested = scope.split(',').flatMap((one) => one.trim() || []);
  const declared = allowedScopes([...app.scopes, ...app.optionalScopes]);
  if (!requested.every((one) => declared.has(one))) {
    return { refused: 'Oauth error invalid_scope: The access scope is invalid' };
  }
  const code = randomBytes(16).toString('hex');
  const installed = installApp(store, shop);
  const kept: AuthorizationCode = { shop: shop.domain, expiresAt: store.clock.now().getTime() + CODE_LIFETIME_MS };
  store.write([
    ['put', 'codes', keyOf(code), kept],
    [
      'put',
      'shops',
      shop.domain,
      { ...installed, grantedScopes: [...new Set([...installed.grantedScopes, ...requested])] },
    ],
  ]);
  return { location: `${redirect_uri}?${toSignedQuery(store, shop, { code, state })}` };
}

/**
 * Uses up an authorization code. Returns false if the code is unknown, belongs to another shop, has already been used, or is older than a
 * minute.
 */
export function redeemCode(store: Store, shop: Shop, code: string): boolean {
  const known = store.books.get<AuthorizationCode>('codes', keyOf(code));
  if (!known || known.shop !== shop.domain) return false;
  store.books.delete('codes', keyOf(code));
  return known.expiresAt > store.clock.now().getTime() && shop.installed;
}

function keyOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
