import type { Context } from 'koa';
import { isShopDomain } from '../shopify/shop-domain.ts';

const MAX_LENGTH = 4096;

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
