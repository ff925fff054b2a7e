import type { Middleware } from 'koa';

const CORS_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, PUT, POST, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Shopify-Retry-Invalid-Session-Request',
  'Access-Control-Max-Age': '7200',
};

/**
 * UI extensions call the API from `https://extensions.shopifycdn.com`. Any origin is allowed, because only the bearer token grants
 * access and no cookies are used.
 */
export const allowExtensions: Middleware = (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Access-Control-Expose-Headers', 'X-Shopify-Retry-Invalid-Session-Request, Retry-After');
  return next();
};

/** `OPTIONS /api/…` and `OPTIONS /packing-slips`: a browser's preflight request before an extension's call. */
export const respondToPreflight: Middleware = (ctx) => {
  ctx.set({ 'Access-Control-Allow-Origin': '*', ...CORS_HEADERS });
  ctx.status = 204;
};
