import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { truncateText } from '../../truncate-text.ts';

/** Returns the address of one of Platen's pages in the shop's admin. `path` is a path such as `/orders/1001`. */
export function toPageUrl({ config }: Pick<App, 'config'>, { domain }: Pick<Shop, 'domain'>, path: string): string {
  return `${config.shopify.embeddedUrl.replace('{handle}', domain.replace(/\.myshopify\.com$/, ''))}${path}`;
}

const MAX_NAME_LENGTH = 100;

/** Returns the shop's name for the subject of a message. */
export function toShopName({ name, domain }: Pick<Shop, 'name' | 'domain'>): string {
  const plain = (name ?? '').replaceAll(/\p{Cc}/gu, ' ').trim();
  return truncateText(plain, MAX_NAME_LENGTH) || domain;
}
