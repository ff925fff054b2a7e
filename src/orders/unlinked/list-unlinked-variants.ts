import type { App } from '../../app.ts';
import { SPACES } from '../../database/find-print-links.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { toAdminUrl } from '../../shops/to-admin-url.ts';
import { unlinkedLinesSql } from './unlinked-lines-sql.ts';

/** A variant, or a SKU of lines without a variant, whose ordered units were not printed because it had no print link. */
export interface UnlinkedVariant {
  variantId: string | null;
  productId: string | null;
  sku: string | null;
  /** The variant's page in the store's admin, or null if the product is unknown. */
  adminUrl: string | null;
  orders: number;
  units: number;
  /** When the oldest of the orders was placed. */
  since: string;
  /** Whether the variant or SKU now has a print link, so that the merchant decides whether its orders are printed. */
  linked: boolean;
}

export interface UnlinkedPage {
  variants: UnlinkedVariant[];
  /**
   * The number of orders, across all pages, with a line that is still not linked, and the number of orders with a line that is linked now.
   */
  orders: { notLinked: number; linked: number };
  /** The `after` value for the next page, or null on the last page. */
  next: string | null;
}

const PAGE = 50;

type Row = Omit<UnlinkedVariant, 'adminUrl' | 'since'> & { key: string; since: Date };

/** Lists a page of a shop's variants whose orders were not printed because the variants were not linked. */
export async function listUnlinkedVariants(
  app: App,
  { id, domain }: Pick<Shop, 'id' | 'domain'>,
  after: string | null = null,
): Promise<UnlinkedPage> {
  const rows: Row[] = await app.db.query(LIST, [id, SPACES, after, PAGE + 1]);
  const orders = await countUnlinkedVariants(app, { id });
  const page = rows.slice(0, PAGE);
  return {
    variants: page.map(({ variantId, productId, sku, orders: count, units, since, linked }) => ({
      variantId,
      productId,
      sku,
      adminUrl: toUrl({ domain }, { variantId, productId }),
      orders: count,
      units,
      since: since.toISOString(),
      linked,
    })),
    orders,
    next: rows.length > PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}

/** Counts the orders on all pages of `listUnlinkedVariants`. */
export async function countUnlinkedVariants(app: App, { id }: Pick<Shop, 'id'>): Promise<UnlinkedPage['orders']> {
  const [orders = { notLinked: 0, linked: 0 }]: UnlinkedPage['orders'][] = await app.db.query(COUNT, [id, SPACES]);
  return orders;
}

/** Lists the variants of all pages of `listUnlinkedVariants`. */
export async function* iterateUnlinkedVariants(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
): AsyncGenerator<UnlinkedVariant> {
  let after: string | null = null;
  do {
    const page: UnlinkedPage = await listUnlinkedVariants(app, shop, after);
    yield* page.variants;
    after = page.next;
  } while (after !== null);
}

function toUrl(
  shop: Pick<Shop, 'domain'>,
  { variantId, productId }: Pick<Row, 'variantId' | 'productId'>,
): string | null {
  const digits = (gid: string): string => encodeURIComponent(gid.slice(gid.lastIndexOf('/') + 1));
  if (productId === null) return null;
  return toAdminUrl(shop, `products/${digits(productId)}${variantId === null ? '' : `/variants/${digits(variantId)}`}`);
}

/** A variant's SKU may have changed between two orders. The list shows the latest SKU. */
const LIST = `
  ${unlinkedLinesSql('$2')}
  select coalesce(shopify_variant_id, 'sku:' || coalesce(sku, '')) as key, shopify_variant_id as "variantId", max(shopify_product_id) as "productId",
    (array_agg(sku order by placed_at desc))[1] as sku, count(distinct storefront_order_id)::int as orders, sum(units)::int as units,
    min(placed_at) as since, bool_or(linked) as linked
  from u
  group by 1, 2 having $3::text is null or coalesce(shopify_variant_id, 'sku:' || coalesce(min(sku), '')) > $3
  order by 1 limit $4`;

const COUNT = `
  ${unlinkedLinesSql('$2')}
  select count(distinct storefront_order_id) filter (where not linked)::int as "notLinked",
    count(distinct storefront_order_id) filter (where linked)::int as linked
  from u`;
