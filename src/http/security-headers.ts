import type { Middleware } from 'koa';
import type { App } from '../app.ts';

/** Browser features that Platen's pages never use. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ');

/**
 * Sets the strictest headers on every response. An endpoint replaces the headers that are too strict for its response: pages set their own
 * policy and may be framed, and public files may be cached.
 */
export function setSecurityHeaders({ shopify }: App['config']): Middleware {
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
    'Referrer-Policy': 'no-referrer',
    ...(shopify.appUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
    'X-Content-Type-Options': 'nosniff',
  };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}
