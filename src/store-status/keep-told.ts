import type { Shop } from '../database/entities/shops.ts';
import type { Told } from '../orders/store-view/told.ts';
import type { TellScope } from './tell-scope.ts';
import { enqueue } from '../jobs/enqueue.ts';

/** Records Platen's changes of an order in the store, beside those of other jobs. Changes made while the shop is leaving are undone. */
export async function keepTold(
  { app, storefrontOrder }: Pick<TellScope, 'app' | 'storefrontOrder'>,
  news: Told,
): Promise<void> {
  const { id, shopId } = storefrontOrder;
  const [[row]]: [Pick<Shop, 'state'>[], number] = await app.db.query(
    `update storefront_orders set told = told || $2::jsonb where id = $1
     returning (select state from shops where shops.id = storefront_orders.shop_id) as state`,
    [id, JSON.stringify(news)],
  );
  storefrontOrder.told = { ...storefrontOrder.told, ...news };
  if (row?.state === 'leaving') await enqueue(app.db, 'clear_told', { shopId });
}
