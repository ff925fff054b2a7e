import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import type { PrintEvent } from '../../print/events.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { filterLinkedProducts } from './linked-products.ts';
import { saveStock } from './save-stock.ts';
import { toStockRows } from './to-stock-rows.ts';
import { enqueueCatchUpStock } from '../../shops/enqueue-shop-jobs.ts';

/**
 * Maximum number of a print account's shops for which one event is handled. The daily poll reads the stock for the account's other shops.
 */
const MAX_SHOPS = 50;
/** Number of products whose stock is written together. */
const MAX_AT_ONCE = 100;

/**
 * Handles a stock event for the print account's shops that print one of the event's products. Events are not signed, so Platen reads the
 * stock from the service. For a shop without the stock call (`extendedCalls` off), Platen saves the stock in the event. Returns the
 * delivery's result.
 */
export async function receiveStockEvent(
  app: App,
  shop: Shop,
  event: PrintEvent,
  { receivedAt }: { receivedAt: Date },
): Promise<string> {
  if (event.kind !== 'catalog_product_stock_availability_updated') return 'not_understood';
  const uids = [...new Set(event.productAvailability.map(({ productUid }) => productUid))];
  const found: { id: number }[] = await app.db.query(PRINTING, [shop.id, uids, MAX_SHOPS]);
  const shops = await app.db.manager.find(Shops, {
    where: { id: In(found.map(({ id }) => id)) },
    order: { id: 'ASC' },
  });
  for (const one of shops) {
    if (readSettings(one).extendedCalls) await enqueueCatchUpStock(app.db, one.id);
    else await saveEventStock(app, one, { uids, stock: event.productAvailability, readAt: receivedAt });
  }
  return found.length > 0 ? 'handled' : 'kept';
}

async function saveEventStock(
  app: App,
  shop: Shop,
  { uids, stock, readAt }: { uids: readonly string[]; stock: Parameters<typeof toStockRows>[0]; readAt: Date },
): Promise<void> {
  const linked = await filterLinkedProducts(app, shop.id, uids);
  for (let start = 0; start < linked.length; start += MAX_AT_ONCE) {
    const batch = new Set(linked.slice(start, start + MAX_AT_ONCE));
    await saveStock(app, shop, toStockRows(stock, batch), { readAt, asked: null });
  }
}

/**
 * Finds the account's shops that print one of the event's products. The query looks up each product by an index within these shops, so it
 * stays fast even if an event names many products.
 */
const PRINTING = `
  with ours as materialized (
    select s.id, s.id <> here.id as "isOther" from shops s, shops here
    where here.id = $1 and s.state = 'installed' and (s.id = here.id or s.print_account_id = here.print_account_id)
  )
  select s.id from ours s
  where exists (select from unnest($2::text[]) as uid
    where exists (select from print_links l where l.shop_id = s.id and l.product_uid = uid)
      or exists (select from print_links l where l.shop_id = s.id and l.envelope_product_uid = uid))
  order by s."isOther", s.id limit $3`;
