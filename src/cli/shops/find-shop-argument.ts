import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findShopByDomain } from '../../shops/find-shop.ts';

/** Finds the shop given with `--shop`. A name without a dot, such as `demo`, means `demo.myshopify.com`. Throws NotFoundError. */
export function findShopArgument(app: App, argument: string): Promise<Shop> {
  const name = argument.toLowerCase();
  return findShopByDomain(app, name.includes('.') ? name : `${name}.myshopify.com`);
}
