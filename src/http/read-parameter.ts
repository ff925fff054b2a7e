import type { Context } from 'koa';
import { isShopDomain } from '../shopify/shop-domain.ts';

const LONGEST = 4096;

/** A parameter of the query that is there once, not empty and of bearable length; else null. */
export function readParameter(ctx: Context, name: string): string | null {
  const value = ctx.query[name];
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value : null;
}

/** The `shop` parameter when it is written as a shop's domain, else null. It says where to ask, never who asks. */
export function readShopParameter(ctx: Context): string | null {
  const shop = readParameter(ctx, 'shop')?.toLowerCase() ?? '';
  return isShopDomain(shop) ? shop : null;
}
