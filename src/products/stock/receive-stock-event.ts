import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import type { PrintEvent } from '../../print/events.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { whichAreLinked } from './linked-products.ts';
import { saveStock } from './save-stock.ts';
import { toStockRows } from './to-stock-rows.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/** Shops of one print account that are told at once; the daily pass reads for the others. */
const MOST_SHOPS = 50;
/** Products whose stock is written at once. */
const MOST_AT_ONCE = 100;

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
  const shops = await app.db.manager.find(Shops, {
    where: { id: In(found.map(({ id }) => id)) },
    order: { id: 'ASC' },
  });
  for (const one of shops) {
    if (readSettings(one).extendedCalls) await enqueue(app.db, 'catch_up_stock', { shopId: one.id });
    else await keepTold(app, one, { uids, told: event.productAvailability, readAt: receivedAt });
  }
  return found.length > 0 ? 'handled' : 'kept';
}

async function keepTold(
  app: App,
  shop: Shop,
  { uids, told, readAt }: { uids: readonly string[]; told: Parameters<typeof toStockRows>[0]; readAt: Date },
): Promise<void> {
  const linked = await whichAreLinked(app, shop.id, uids);
  for (let start = 0; start < linked.length; start += MOST_AT_ONCE) {
    const some = new Set(linked.slice(start, start + MOST_AT_ONCE));
    await saveStock(app, shop, toStockRows(told, some), { readAt, asked: null });
  }
}

/** Each product is looked for by an index, in the shops of the account alone, however many an event names. */
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
