import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintStores } from '../../database/entities/store-products.ts';
import { InvalidInputError } from '../../errors.ts';
import { readSettings } from '../../shops/settings/settings.ts';

const MOST_STORES = 20;

/**
 * The store at the service in which a product of this shop is made: the one that is told, else that of the setting `printStoreId`, else the
 * only one that is known to be this shop. One that is not known can be told as long as neither the setting nor a product says another, and
 * never one that another shop of the print account has. Throws InvalidInputError.
 */
export async function chooseStore(app: App, shop: Shop, told: string | undefined): Promise<string> {
  const { printStoreId } = readSettings(shop);
  const where = { shopId: shop.id };
  const stores = await app.db.manager.find(PrintStores, { where, order: { storeId: 'ASC' }, take: MOST_STORES });
  const seen = stores.map(({ storeId }) => storeId);
  const known = [...new Set([...(printStoreId === null ? [] : [printStoreId]), ...seen])];
  const storeId = told ?? printStoreId ?? (seen.length === 1 ? seen[0] : undefined);
  if (storeId === undefined || (known.length > 0 && !known.includes(storeId))) throw refuse(describeKnown(known));
  if (!seen.includes(storeId) && (await isOfAnotherShop(app, shop, storeId))) throw refuse(OF_ANOTHER);
  return storeId;
}

function refuse(message: string): InvalidInputError {
  return new InvalidInputError('storeId', `storeId: ${message}.`);
}

const OF_ANOTHER =
  'is the store of another shop with the same print key. Copy the id of your own store from the dashboard of the print service, and give it as printStoreId too if that setting is wrong';

function describeKnown(known: readonly string[]): string {
  return known.length === 0
    ? "is missing: the print service's id of your store is not known yet. Copy it from the dashboard there, or change any product of the store there"
    : `must be one of the stores that are known to be this shop: ${known.join(', ')}`;
}

/**
 * Whether a product has shown the store to be another shop of the account, or that shop's settings say so. One that has removed Platen keeps
 * both, and may be this very shop under another domain.
 */
async function isOfAnotherShop(app: App, { id, printAccountId }: Shop, storeId: string): Promise<boolean> {
  const others: unknown[] = await app.db.query(
    `select from shops s where s.id <> $1 and s.print_account_id = $2 and s.state <> 'uninstalled' and (s.settings ->> 'printStoreId' = $3
       or exists (select from print_stores p where p.shop_id = s.id and p.store_id = $3)) limit 1`,
    [id, printAccountId, storeId],
  );
  return others.length > 0;
}
