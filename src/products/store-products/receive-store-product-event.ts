import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { TaskPayloads } from '../../jobs/tasks.ts';
import type { PrintEvent } from '../../print/events.ts';
import { PRINT_STORE_ID } from '../../shops/settings/product-settings.ts';
import { enqueue } from '../../jobs/enqueue.ts';

type StoreProductEvent = Extract<PrintEvent, { storeProductId: string }>;

/** Shops of an account whose stores are not known yet, at a time: each reads the product for itself. */
const MOST_SHOPS = 50;
/** What the first shops read is taken in by then: where one has the product, the others are not asked. */
const NEXT_SHOPS_SECONDS = 60;

/**
 * Takes in an event of a store product: it says that there is something to read, and nothing else. It is read for the shop that is known to
 * have the product or its store, among those of the print account; while none is, for each of them, this one first, and what it
 * shows is kept for the one whose product it is. A deletion names no store: it is of a product that is known, or of nothing.
 * Returns what the delivery's result is.
 */
export async function receiveStoreProductEvent(app: App, shop: Shop, event: PrintEvent): Promise<string> {
  if (!isOfStoreProduct(event) || !PRINT_STORE_ID.test(event.storeProductId)) return 'not_understood';
  const { storeProductId } = event;
  const storeId = event.storeId !== null && PRINT_STORE_ID.test(event.storeId) ? event.storeId : null;
  const toRead: Reader[] = await app.db.query(TO_READ, [shop.id, storeProductId, storeId, MOST_SHOPS]);
  await enqueueReadings(app, { shopId: shop.id, storeId, storeProductId }, toRead);
  return toRead.length > 0 ? 'handled' : 'no_such_product';
}

/** Has a product that an event named read for the next shops of the account, while none is known to have it or its store. */
export async function shareStoreProduct(app: App, payload: TaskPayloads['share_store_product']): Promise<void> {
  const { after, ...event } = payload;
  const { shopId, storeId, storeProductId } = event;
  const toRead: Reader[] = await app.db.query(NEXT_TO_READ, [shopId, storeProductId, storeId, MOST_SHOPS, after]);
  await enqueueReadings(app, event, toRead);
}

/** A shop for which a product is read, and the store that it is read from. */
interface Reader {
  shopId: number;
  storeId: string;
}

/** `event`: what was told, and to which shop. */
async function enqueueReadings(
  app: App,
  { shopId, storeId, storeProductId }: { shopId: number; storeId: string | null; storeProductId: string },
  toRead: Reader[],
): Promise<void> {
  for (const one of toRead) await enqueue(app.db, 'read_store_product', { ...one, storeProductId });
  const last = toRead.at(-1);
  if (!last || storeId === null || toRead.length < MOST_SHOPS) return;
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
    -- A shop that does not have the product knows it by its store alone; a deletion names no store.
    select p.shop_id, p.store_id from store_products p where p.store_product_id = $2 and p.shop_id in (select id from account)
      and (p.deleted_in_store_at is null or $3::text is null)
  ), by_store as (
    select shop_id, store_id from print_stores where store_id = $3 and shop_id in (select id from account)
  ), nobodys as (
    select id, $3::text from account where $3::text is not null and not exists (select from by_product) and not exists (select from by_store)
  )`;

/** Where the product is known, the store that the event tells does not count: nobody signed it. */
const TO_READ = `
  with ${KNOWN}, to_read (shop_id, store_id) as (
    select shop_id, store_id from by_product
    union select shop_id, store_id from by_store where not exists (select from by_product)
    union select * from nobodys
    -- The store was another shop's, and may be connected by now to the one that got the event.
    union select id, $3::text from account where id = $1 and $3::text is not null and not exists (select from by_product))
  select shop_id as "shopId", store_id as "storeId" from to_read order by shop_id <> $1, shop_id limit $4`;

const NEXT_TO_READ = `
  with ${KNOWN} select id as "shopId", $3::text as "storeId" from nobodys where id > $5 and id <> $1 order by id limit $4`;
