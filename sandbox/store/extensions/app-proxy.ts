import { createHmac } from 'node:crypto';
import Router from '@koa/router';
import { Refusal } from '../../refusal.ts';
import { findShop } from '../shop/find-shop.ts';
import type { Store } from '../store.ts';

const SCOPE = 'write_app_proxy';
const RESPONSE_TIMEOUT_MS = 10_000;
/** The only headers of the app's response that the stand-in passes on to a visitor. Shopify removes cookies in both directions. */
const HEADERS = ['content-type', 'cache-control'];

/** Creates the endpoint that forwards requests under the app proxy's path to the app, signed as Shopify signs them. */
export function createAppProxy(store: Store): Router {
  const router = new Router();
  const { proxy } = store.options.app;
  if (proxy === null) return router;
  router.get(`/:shop${proxy.path}/*path`, async (ctx) => {
    const shop = findShop(store, String(ctx.params['shop']));
    if (!shop.installed || !shop.grantedScopes.includes(SCOPE))
      throw new Refusal(404, 'not_found', `${shop.domain} has no page at this address.`);
    const query = new URLSearchParams(ctx.URL.searchParams);
    query.append('shop', shop.domain);
    query.append('logged_in_customer_id', '');
    query.append('path_prefix', proxy.path);
    query.append('timestamp', String(Math.floor(store.clock.now().getTime() / 1000)));
    query.append('signature', sign(query, store.options.apiSecret));
    const url = new URL(`${proxy.url}/${String(ctx.params['path'])}`, store.options.appUrl);
    url.search = query.toString();
    const answer = await fetch(url, { redirect: 'manual', signal: store.clock.timeout(RESPONSE_TIMEOUT_MS) });
    ctx.status = answer.status;
    for (const name of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) ctx.set(name, value);
    }
    ctx.body = answer.status === 204 ? null : Buffer.from(await answer.arrayBuffer());
  });
  return router;
}

/**
 * Signs the query as Shopify documents: sorts the parameters, joins the values of a repeated parameter with commas, and concatenates all
 * parameters without separators.
 */
function sign(query: URLSearchParams, secret: string): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of query) values.set(name, [...(values.get(name) ?? []), value]);
  const sorted = [...values].map(([name, all]) => `${name}=${all.join(',')}`).toSorted();
  return createHmac('sha256', secret).update(sorted.join('')).digest('hex');
}
