import type { Context } from 'koa';
import { isShopDomain } from '../shopify/shop-domain.ts';

const LONGEST = 4096;

/** A query parameter that is given once, not empty and not too long; otherwise null. */
export function readParameter(ctx: Context, name: string): string | null {
  const value = ctx.query[name];
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value : null;
}

/** The `shop` parameter if it is a valid shop domain, otherwise null. It does not prove who sent the request. */
export function readShopParameter(ctx: Context): string | null {
  const shop = readParameter(ctx, 'shop')?.toLowerCase() ?? '';
  return isShopDomain(shop) ? shop : null;
}
