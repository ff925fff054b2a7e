import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';

/** The print service's stock of a product that the shop's print links name. */
export interface ListedStock {
  productUid: string;
  /** The number of print links that name the product. */
  printLinks: number;
  regions: { stockRegionUid: string; status: string; replenishmentDate: string | null; changedAt: string }[];
  /** ISO 8601. Null if the stock has not been read yet or the service reported none. */
  readAt: string | null;
}

export interface StockPage {
  products: ListedStock[];
  /** The next page's `after`. Null on the last page. */
  next: string | null;
}

const PAGE = 100;

interface Row extends Omit<ListedStock, 'regions' | 'readAt'> {
  regions: ListedStock['regions'] | null;
  readAt: Date | null;
}

/** Lists a page of the products that a shop's print links name, with their stock, sorted by UID. `after` is a UID. */
export async function listStock(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { onlyOut = false, after = null }: { onlyOut?: boolean; after?: string | null } = {},
): Promise<StockPage> {
  const rows: Row[] = await app.db.query(LIST, [shopId, after ?? '', onlyOut, PAGE + 1]);
  const products = rows.slice(0, PAGE).map(toListed);
  return { products, next: rows.length > PAGE ? (products.at(-1)?.productUid ?? null) : null };
}

/** Lists the stock of all products that a shop's print links name, page by page. */
export async function* listAllStock(app: App, shop: Pick<Shop, 'id'>, onlyOut: boolean): AsyncGenerator<ListedStock> {
  let after: string | null = null;
  do {
    const page: StockPage = await listStock(app, shop, { onlyOut, after });
    yield* page.products;
    after = page.next;
  } while (after !== null);
}

function toListed({ regions, readAt, ...row }: Row): ListedStock {
  const listed = (regions ?? []).map((one) => ({ ...one, changedAt: new Date(one.changedAt).toISOString() }));
  return { ...row, regions: listed, readAt: readAt?.toISOString() ?? null };
}

const LIST = `
  with linked as (
    select uid, count(*)::int as links
    from print_links l, unnest(array[l.product_uid, l.envelope_product_uid]) as uid
    where l.shop_id = $1 and uid > $2 group by 1
  )
  select l.uid as "productUid", l.links as "printLinks", s.regions, s."readAt"
  from linked l left join lateral (
    select max(read_at) as "readAt", bool_or(status = 'out-of-stock') as out,
      jsonb_agg(jsonb_build_object('stockRegionUid', stock_region_uid, 'status', status, 'replenishmentDate', replenishment_date,
        'changedAt', changed_at) order by stock_region_uid) as regions
    from product_stock where shop_id = $1 and product_uid = l.uid
  ) s on true
  where not $3 or s.out
  order by 1 limit $4`;
