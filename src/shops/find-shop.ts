import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import type { Shop } from '../database/entities/shops.ts';
import { NotFoundError } from '../errors.ts';

/** Finds the shop with this ID, in any state. Throws NotFoundError. */
export async function findShop(app: App, id: number): Promise<Shop> {
  const shop = await app.db.getRepository(Shops).findOneBy({ id });
  if (!shop) throw new NotFoundError(`There is no shop ${id}: it was removed, or it never installed Platen.`);
  return shop;
}

/** Finds the shop with this domain, such as `demo.myshopify.com`, in any state. Throws NotFoundError. */
export async function findShopByDomain(app: App, domain: string): Promise<Shop> {
  const shop = await app.db.getRepository(Shops).findOneBy({ domain });
  if (!shop)
    throw new NotFoundError(
      `Platen does not know the shop ${domain}. To install Platen there, open it in the store's admin.`,
    );
  return shop;
}
