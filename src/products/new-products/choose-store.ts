import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintStores } from '../../database/entities/store-products.ts';
import { InvalidInputError } from '../../errors.ts';
import { readSettings } from '../../shops/settings/settings.ts';

const MAX_STORES = 20;

/**
 * Chooses the store at the print service in which to create this shop's product. This is the given store or, by default, the store in the
 * setting `printStoreId`. If neither is set, it is the only store whose products show that it belongs to this shop. As long as neither the
 * setting nor a product names a store, any store may be given. A store of another shop that shares the print account is rejected. Throws
 * InvalidInputError.
 */
export async function chooseStore(app: App, shop: Shop, given: string | undefined): Promise<string> {
  const { printStoreId } = readSettings(shop);
  const where = { shopId: shop.id };
  const stores = await app.db.manager.find(PrintStores, { where, order: { storeId: 'ASC' }, take: MAX_STORES });
  const seen = stores.map(({ storeId }) => storeId);
  const known = [...new Set([...(printStoreId === null ? [] : [printStoreId]), ...seen])];
  const storeId = given ?? printStoreId ?? (seen.length === 1 ? seen[0] : undefined);
  if (storeId === undefined || (known.length > 0 && !known.includes(storeId))) throw toStoreError(describeKnown(known));
  if (!seen.includes(storeId) && (await isOfAnotherShop(app, shop, storeId))) throw toStoreError(OF_ANOTHER);
  return storeId;
}

function toStoreError(message: string): InvalidInputError {
  return new InvalidInputError('storeId', `storeId: ${message}.`);
}

const OF_ANOTHER =
  'belongs to another shop with the same print key. Copy your own store ID from the dashboard of the print service. If the settings contain another store’s ID, correct it there too';

function describeKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'is missing: Platen does not know the ID of your store at the print service yet. Copy it from the dashboard there, or change any product in that store'
    : `must be one of the stores that belong to this shop: ${known.join(', ')}`;
}

/**
 * Returns whether products or settings show that the store belongs to another shop with the same print account. A shop that has removed
 * Platen does not count: its products and settings remain stored, and it may be this shop under its earlier domain.
 */
async function isOfAnotherShop(app: App, { id, printAccountId }: Shop, storeId: string): Promise<boolean> {
  const others: unknown[] = await app.db.query(
    `select from shops s where s.id <> $1 and s.print_account_id = $2 and s.state <> 'uninstalled' and (s.settings ->> 'printStoreId' = $3
       or exists (select from print_stores p where p.shop_id = s.id and p.store_id = $3)) limit 1`,
    [id, printAccountId, storeId],
  );
  return others.length > 0;
}
