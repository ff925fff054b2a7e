import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/shops.ts';
import type { PrintEvent } from '../../print/events.ts';
import { readSettings } from '../../shops/settings.ts';
import { enqueueCatchUpStock } from './enqueue-catch-up-stock.ts';
import { linkedProducts } from './linked-products.ts';
import { saveStock } from './save-stock.ts';
import { toStockRows } from './to-stock-rows.ts';

/** Shops of one print account that are told at once; the daily pass reads for the others. */
const MOST_SHOPS = 50;

/**
 * Takes in an event of stock, for the shop it came to and those of its print account that print one of its products: the stock is read from
 * the service, since nobody signs an event. Where there is no call to read it by (`extendedCalls` off) the event is all that will ever be
 * known, and is kept as it is. Returns what the delivery's result is.
 */
export async function receiveStockEvent(
  app: App,
  shop: Shop,
  event: PrintEvent,
  { receivedAt }: { receivedAt: Date },
): Promise<string> {
  if (event.kind !== 'catalog_product_stock_availability_updated') return 'not_understood';
  const uids = [...new Set(event.productAvailability.map(({ productUid }) => productUid))];
  const found: { id: number }[] = await app.db.query(PRINTING, [shop.id, uids, MOST_SHOPS]);
  for (const { id } of found) {
    const one = await app.db.manager.findOneByOrFail(Shops, { id });
    if (readSettings(one).extendedCalls) await enqueueCatchUpStock(app, app.db, id);
    else await keepTold(app, one, event.productAvailability, receivedAt);
  }
  return found.length > 0 ? 'handled' : 'kept';
}

async function keepTold(app: App, shop: Shop, told: Parameters<typeof toStockRows>[0], readAt: Date): Promise<void> {
  for await (const uids of linkedProducts(app, shop.id))
    await saveStock(app, shop, toStockRows(told, new Set(uids)), { readAt, asked: null });
}

const PRINTING = `
  select s.id from shops s, shops here
  where here.id = $1 and s.state = 'installed' and (s.id = here.id or s.print_account_id = here.print_account_id)
    and exists (select from print_links l where l.shop_id = s.id
      and (l.product_uid = any($2::text[]) or l.envelope_product_uid = any($2::text[])))
  order by s.id <> here.id, s.id limit $3`;
