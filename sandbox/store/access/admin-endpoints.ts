import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { authorize } from './authorize.ts';
import { changeScopes } from './change-scopes.ts';
import { findShop } from '../shop/find-shop.ts';
import { installApp, openingUrl } from './install.ts';
import { listResources } from './list-resources.ts';
import { allowedScopes } from './scopes.ts';
import { createSessionToken } from './session-token.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { readPolaris } from '../polaris/read-polaris.ts';

const [appBridge, ...parts] = ['app-bridge.js', 'app-nav.js', 'save-bar.js', 'resource-picker.js'].map((name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8'),
);
const scopesSchema = z.union([
  z.strictObject({ request: z.array(z.string()).min(1) }),
  z.strictObject({ revoke: z.array(z.string()).min(1) }),
]);
const resourcesSchema = z.strictObject({ type: z.enum(['product', 'variant']), query: z.string().default('') });

/**
 * Creates the endpoints that a merchant's browser calls to open the app in the admin, to get an authorization code and to load the App
 * Bridge stand-in. Also creates the endpoints that the App Bridge stand-in calls from the app's page.
 */
export function createAdminRouter(store: Store): Router {
  const router = new Router();
  const shopOf = (ctx: Context & { params: Record<string, string> }) => findShop(store, String(ctx.params['shop']));
  router.get('/app-bridge.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = `${appBridge}(() => {\n${parts.join('\n')}})();\n`;
  });
  const polaris = readPolaris();
  router.get('/polaris.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = polaris;
  });
  router.get(['/:shop/admin/apps/:key', '/:shop/admin/apps/:key/*path'], (ctx) => {
    const shop = shopOf(ctx);
    if (ctx.params['key'] !== store.options.apiKey) throw new Refusal(404, 'not_found', 'The app does not exist.');
    const query = Object.fromEntries(ctx.URL.searchParams);
    ctx.redirect(openingUrl(store, installApp(store, shop), ctx.params['path'] ?? '', query));
  });
  router.get('/:shop/admin/oauth/authorize', (ctx) => {
    const authorization = authorize(store, shopOf(ctx), ctx.query);
    if ('location' in authorization) return ctx.redirect(authorization.location);
    ctx.status = 400;
    ctx.body = authorization.refused;
  });
  const forApp = allowApp(store);
  router.get('/:shop/admin/id-token', forApp, (ctx) => {
    ctx.body = { token: createSessionToken(store.options, requireInstalled(shopOf(ctx)).domain) };
  });
  router.get('/:shop/admin/app-bridge/scopes', forApp, (ctx) => {
    ctx.body = scopesDetail(store, requireInstalled(shopOf(ctx)));
  });
  router.get('/:shop/admin/app-bridge/resources', forApp, (ctx) => {
    const { type, query } = parseOrRefuse(resourcesSchema, ctx.query);
    ctx.body = { resources: listResources(store, requireInstalled(shopOf(ctx)), { type, query }) };
  });
  router.post('/:shop/admin/app-bridge/scopes', forApp, (ctx) => {
    const input = parseOrRefuse(scopesSchema, jsonOf(ctx));
    const shop = requireInstalled(shopOf(ctx));
    ctx.body = 'request' in input ? requestScopes(store, shop, input.request) : revokeScopes(store, shop, input.revoke);
  });
  router.options('/:shop/admin/app-bridge/scopes', forApp, (ctx) => {
    ctx.status = 204;
  });
  return router;
}

/** Requests scopes from the merchant, who responds as configured through the control endpoint. */
function requestScopes(store: Store, shop: Shop, scopes: readonly string[]) {
  const { app } = store.options;
  if (!scopes.every((scope) => allowedScopes([...app.scopes, ...app.optionalScopes]).has(scope))) {
    throw new Refusal(400, 'invalid_scopes', 'Only scopes that the app declares can be requested.');
  }
  const missing = scopes.filter((scope) => !allowedScopes(shop.grantedScopes).has(scope));
  const refused = missing.length > 0 && shop.answersRequests === 'refuse';
  const after = refused ? shop : changeScopes(store, shop, { grant: missing });
  return { result: refused ? 'declined-all' : 'granted-all', detail: scopesDetail(store, after) };
}

function revokeScopes(store: Store, shop: Shop, scopes: readonly string[]) {
  if (!scopes.every((scope) => store.options.app.optionalScopes.includes(scope))) {
    throw new Refusal(400, 'invalid_scopes', 'Only optional scopes can be revoked.');
  }
  return { detail: scopesDetail(store, changeScopes(store, shop, { revoke: scopes })) };
}

function scopesDetail({ options: { app } }: Store, { grantedScopes }: Shop) {
  return { granted: grantedScopes, required: app.scopes, optional: app.optionalScopes };
}

function requireInstalled(shop: Shop): Shop {
  if (shop.installed) return shop;
  throw new Refusal(404, 'not_found', `The app is not installed in ${shop.domain}.`);
}

/** Creates middleware that lets only pages of the app read the response. */
function allowApp(store: Store): Middleware {
  const { origin } = new URL(store.options.appUrl);
  return async (ctx, next) => {
    ctx.set('access-control-allow-origin', origin);
    ctx.set('access-control-allow-headers', 'content-type');
    ctx.vary('origin');
    await next();
  };
}
