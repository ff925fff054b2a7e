import type { Context, Next } from 'koa';
import { isShopDomain } from '../shopify/shop-domain.ts';
import { unknownAddressError } from './error-response.ts';

const MAX_LENGTH = 4096;

/** Responds with 404 if the path or query contains a NUL. PostgreSQL cannot store a NUL, so such an address names nothing. */
export function refuseNul(ctx: Context, next: Next): Promise<void> {
  if (ctx.url.includes('%00')) throw unknownAddressError();
  return next();
}

/** Returns a query parameter if it occurs exactly once, is not empty and is not too long. Otherwise, returns null. */
export function readParameter(ctx: Context, name: string): string | null {
  const value = ctx.query[name];
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : null;
}

/** Returns the `shop` parameter if it is a valid shop domain, otherwise null. The parameter does not prove who sent the request. */
export function readShopParameter(ctx: Context): string | null {
  const shop = readParameter(ctx, 'shop')?.toLowerCase() ?? '';
  return isShopDomain(shop) ? shop : null;
}
