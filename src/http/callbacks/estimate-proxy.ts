import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { cacheEstimates } from '../../rates/cache-estimates.ts';
import { isCountry } from '../../shops/settings/shipping-rules.ts';
import { admitRequest } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { refuseUnsigned } from './shopify-webhooks.ts';

/** How long a visitor's browser caches an estimate. */
const CACHE_SECONDS = 1_800;

/** The parameters that the theme block adds. Shopify adds the shop, the time and the signature. */
const querySchema = z.object({
  variant: z
    .string()
    .max(20, { abort: true })
    .regex(/^\d{1,20}$/),
  country: z.string().max(2, { abort: true }).refine(isCountry),
  sku: z
    .string()
    .max(255)
    .nullable()
    .transform((sku) => sku || null),
});

/**
 * `GET /proxy/estimate`: a product page asks, through the app proxy, when one unit of a variant would arrive. Without an estimate, the
 * response is 204, and the page shows nothing. The signature covers the shop, so a page can get only its own shop's estimates.
 */
export function estimateProxy(app: App, limits: Limits): Middleware {
  const estimates = cacheEstimates(app, limits);
  return async (ctx) => {
    // Avoids `ctx.URL`, which depends on the Host header.
    const query = new URLSearchParams(ctx.querystring);
    const domain = app.shopify.verifyProxyRequest(query, app.clock.now());
    if (domain === null) throw refuseUnsigned(ctx, limits, 'invalid_signature');
    const wish = querySchema.safeParse({
      variant: query.get('variant'),
      country: query.get('country'),
      sku: query.get('sku'),
    });
    let estimate = wish.success ? estimates.recall(domain, wish.data) : undefined;
    if (estimate === undefined) {
      // One visitor can use up the limit, so it applies only to pages whose estimate is not known.
      admitRequest(limits.visitors, ctx, domain);
      estimate = wish.success ? await estimates.find(domain, wish.data) : null;
    }
    ctx.set('Cache-Control', `private, max-age=${estimate === null ? 60 : CACHE_SECONDS}`);
    ctx.status = estimate === null ? 204 : 200;
    ctx.body = estimate;
  };
}
