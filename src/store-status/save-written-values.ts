import type { Shop } from '../database/entities/shops.ts';
import type { WrittenValues } from '../orders/store-view/written-values.ts';
import type { UpdateScope } from './update-scope.ts';
import { enqueueClearStore } from '../shops/enqueue-shop-jobs.ts';

/** Records Platen's changes to an order in the store. If the shop is leaving, enqueues the job that undoes them. */
export async function saveWrittenValues(
  { app, storefrontOrder }: Pick<UpdateScope, 'app' | 'storefrontOrder'>,
  news: WrittenValues,
): Promise<void> {
  const { id, shopId } = storefrontOrder;
  const [[row]]: [Pick<Shop, 'state'>[], number] = await app.db.query(
    `update storefront_orders set told = told || $2::jsonb where id = $1
     returning (select state from shops where shops.id = storefront_orders.shop_id) as state`,
    [id, JSON.stringify(news)],
  );
  storefrontOrder.written = { ...storefrontOrder.written, ...news };
  if (row?.state === 'leaving') await enqueueClearStore(app.db, shopId);
}
