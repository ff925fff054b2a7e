import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import type { PrintEvent } from '../../print/events.ts';
import { PRINT_STORE_ID } from '../../shops/product-settings.ts';
import { enqueueReadStoreProduct } from './enqueue-read-store-product.ts';

type StoreProductEvent = Extract<PrintEvent, { storeProductId: string }>;

/** Of an account whose stores are not known yet: each reads the product for itself. */
const MOST_SHOPS = 50;

/**
 * Takes in an event of a store product: it says that there is something to read, and nothing else. It is read for the shop that is known to
 * have the product or its store, among those of the print account; while none is, for each of them, and what it shows is kept for the one
 * whose product it is. A deletion names no store: it is of a product that is known, or of nothing. Returns what the delivery's result is.
 */
export async function receiveStoreProductEvent(app: App, shop: Shop, event: PrintEvent): Promise<string> {
  if (!isOfStoreProduct(event) || !PRINT_STORE_ID.test(event.storeProductId)) return 'not_understood';
  const { storeProductId, storeId } = event;
  const toRead: { shopId: number; storeId: string }[] = await app.db.query(TO_READ, [
    shop.id,
    storeProductId,
    storeId !== null && PRINT_STORE_ID.test(storeId) ? storeId : null,
    MOST_SHOPS,
  ]);
  for (const one of toRead) await enqueueReadStoreProduct(app, app.db, { ...one, storeProductId });
  return toRead.length > 0 ? 'handled' : 'no_such_product';
}

function isOfStoreProduct(event: PrintEvent): event is StoreProductEvent {
  return 'storeProductId' in event;
}

/** Where the product is known, the store that the event tells does not count: nobody signed it. */
const TO_READ = `
  with account as (
    select s.id from shops s, shops here
    where here.id = $1 and s.state = 'installed' and (s.id = here.id or s.print_account_id = here.print_account_id)
  ), by_product as (
    select p.shop_id, p.store_id from store_products p where p.store_product_id = $2 and p.shop_id in (select id from account)
  ), by_store as (
    select shop_id, store_id from print_stores where store_id = $3 and shop_id in (select id from account)
  )
  select shop_id as "shopId", store_id as "storeId" from by_product
  union select shop_id, store_id from by_store where not exists (select from by_product)
  union select id, $3 from account where $3::text is not null and not exists (select from by_product) and not exists (select from by_store)
  order by 1 limit $4`;
