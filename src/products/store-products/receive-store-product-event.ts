import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { TaskPayloads } from '../../jobs/tasks.ts';
import type { PrintEvent } from '../../print/events.ts';
import { PRINT_STORE_ID } from '../../shops/settings/product-settings.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { enqueueReadStoreProduct } from './enqueue-readings.ts';

type StoreProductEvent = Extract<PrintEvent, { storeProductId: string }>;

/** Maximum number of shops for which the product is read at a time, if it is not known which shop has the product. */
const MAX_SHOPS = 50;
/**
 * How long the next shops wait. By then, the first shops' readings are saved. If one of these shops has the product, the others do not read
 * it.
 */
const NEXT_SHOPS_SECONDS = 60;

/**
 * Handles a store product event, which only triggers a reading. The product is read for those of the print account's shops that are known
 * to have the product or its store. If no shop is known, it is read for each shop, starting with this shop, and saved for the shop that
 * has it. A deletion names no store, so it only concerns known products. Returns the delivery's result.
 */
export async function receiveStoreProductEvent(app: App, shop: Shop, event: PrintEvent): Promise<string> {
  if (!isOfStoreProduct(event) || !PRINT_STORE_ID.test(event.storeProductId)) return 'not_understood';
  const { storeProductId } = event;
  const storeId = event.storeId !== null && PRINT_STORE_ID.test(event.storeId) ? event.storeId : null;
  const toRead: Reader[] = await app.db.query(TO_READ, [shop.id, storeProductId, storeId, MAX_SHOPS]);
  await enqueueReadings(app, { shopId: shop.id, storeId, storeProductId }, toRead);
  return toRead.length > 0 ? 'handled' : 'no_such_product';
}

/** Enqueues readings of an event's product for the account's next shops, while no shop is known to have the product or its store. */
export async function shareStoreProduct(app: App, payload: TaskPayloads['share_store_product']): Promise<void> {
  const { after, ...event } = payload;
  const { shopId, storeId, storeProductId } = event;
  const toRead: Reader[] = await app.db.query(NEXT_TO_READ, [shopId, storeProductId, storeId, MAX_SHOPS, after]);
  await enqueueReadings(app, event, toRead);
}

/** A shop for which a product is read, and the store at the service from which it is read. */
interface Reader {
  shopId: number;
  storeId: string;
}

/** Enqueues the readings, and a job for the next shops if there may be more. */
async function enqueueReadings(
  app: App,
  { shopId, storeId, storeProductId }: { shopId: number; storeId: string | null; storeProductId: string },
  toRead: Reader[],
): Promise<void> {
  for (const one of toRead) await enqueueReadStoreProduct(app.db, { ...one, storeProductId });
  const last = toRead.at(-1);
  if (!last || storeId === null || toRead.length < MAX_SHOPS) return;
  const payload = { shopId, storeId, storeProductId, after: last.shopId };
  await enqueue(app.db, 'share_store_product', payload, { waitSeconds: NEXT_SHOPS_SECONDS });
}

function isOfStoreProduct(event: PrintEvent): event is StoreProductEvent {
  return 'storeProductId' in event;
}

const KNOWN = `
  account as (
    select s.id from shops s, shops here
    where here.id = $1 and s.state = 'installed' and (s.id = here.id or s.print_account_id = here.print_account_id)
  ), by_product as (
    -- Rows from a shop that lacks the product count only for deletions, because deletions name no store.
    select p.shop_id, p.store_id from store_products p where p.store_product_id = $2 and p.shop_id in (select id from account)
      and (p.deleted_in_store_at is null or $3::text is null)
  ), by_store as (
    select shop_id, store_id from print_stores where store_id = $3 and shop_id in (select id from account)
  ), nobodys as (
    select id, $3::text from account where $3::text is not null and not exists (select from by_product) and not exists (select from by_store)
  )`;

/** If the product is known, the store named by the event is ignored, because events are not signed. */
const TO_READ = `
  with ${KNOWN}, to_read (shop_id, store_id) as (
    select shop_id, store_id from by_product
    union select shop_id, store_id from by_store where not exists (select from by_product)
    union select * from nobodys
    -- A store that belonged to another shop may now be connected to the shop that received the event.
    union select id, $3::text from account where id = $1 and $3::text is not null and not exists (select from by_product))
  select shop_id as "shopId", store_id as "storeId" from to_read order by shop_id <> $1, shop_id limit $4`;

const NEXT_TO_READ = `
  with ${KNOWN} select id as "shopId", $3::text as "storeId" from nobodys where id > $5 and id <> $1 order by id limit $4`;
