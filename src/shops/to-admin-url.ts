import type { Shop } from '../database/entities/shops.ts';

/** Returns the address of a page in the store's admin, such as `orders/1001`. */
export function toAdminUrl({ domain }: Pick<Shop, 'domain'>, path: string): string {
  return `https://admin.shopify.com/store/${domain.replace(/\.myshopify\.com$/, '')}/${path}`;
}
