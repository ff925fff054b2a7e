import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { toAdminUrl } from '../../shops/to-admin-url.ts';
import { describeReason } from './decide-connection.ts';
import { findProblem, STUCK_MS, type Problem } from './find-problem.ts';

/** The list's filters: a publishing status, a connection or problems. */
export const storeProductFilters = [
  'created',
  'publishing',
  'publishing_error',
  'active',
  'stuck',
  'deleted',
  'problem',
  'connected',
  'not_connected',
  'ignored',
] as const;
export type StoreProductFilter = (typeof storeProductFilters)[number];

/** A store product as the merchant sees it. */
export interface ListedStoreProduct {
  storeId: string;
  storeProductId: string;
  /** The product's ID in the shop's own store. Null if it is not published there. */
  productId: string | null;
  /** The product's address in the store's admin. */
  adminUrl: string | null;
  title: string | null;
  /** `deleted` if the print service no longer has it. */
  status: string;
  publishingErrorCode: string | null;
  problem: Problem | null;
  variants: ListedVariant[];
  /** Counts all variants of the product, including those not listed. */
  counts: { connected: number; notConnected: number; ignored: number; deletedInStore: number };
}

export interface ListedVariant {
  variantId: string | null;
  title: string | null;
  status: string;
  /** The reason why the variant is not connected, with its remedy. */
  reason: { code: string; message: string } | null;
}

export interface StoreProductsPage {
  storeProducts: ListedStoreProduct[];
  /** The next page's `after`. Null on the last page. */
  next: string | null;
}

const PAGE = 50;
/** Maximum number of variants listed for a product, starting with those that are not connected. A product has up to 2,048. */
const MAX_VARIANTS = 100;

interface Row {
  id: string;
  storeId: string;
  storeProductId: string;
  shopifyProductId: string | null;
  title: string | null;
  status: string | null;
  publishingErrorCode: string | null;
  publishingSince: Date | null;
  deletedAt: Date | null;
  deletedInStoreAt: Date | null;
  counts: ListedStoreProduct['counts'];
  /** Number of variants that still exist in the store but are not connected. Their orders are held. */
  holding: number;
  variants: VariantRow[] | null;
}

export interface VariantRow {
  variantId: string | null;
  title: string | null;
  status: string | null;
  reason: string | null;
}

/** Lists a page of a shop's store products, newest first. `after` is the previous page's `next`. */
export async function listStoreProducts(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  { filter = null, after = null }: { filter?: StoreProductFilter | null; after?: string | null } = {},
): Promise<StoreProductsPage> {
  const stuckBefore = new Date(app.clock.now().getTime() - STUCK_MS);
  const rows: Row[] = await app.db.query(LIST, [shop.id, after, filter, stuckBefore, PAGE + 1, MAX_VARIANTS]);
  const page = rows.slice(0, PAGE);
  return {
    storeProducts: page.map((row) => toListed(app, shop, row)),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Lists all of a shop's store products, newest first, page by page. */
export async function* listAllStoreProducts(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  filter: StoreProductFilter | null,
): AsyncGenerator<ListedStoreProduct> {
  let after: string | null = null;
  do {
    const page: StoreProductsPage = await listStoreProducts(app, shop, { filter, after });
    yield* page.storeProducts;
    after = page.next;
  } while (after !== null);
}

function toListed(app: App, shop: Pick<Shop, 'domain'>, row: Row): ListedStoreProduct {
  const { storeId, storeProductId, title, publishingErrorCode, counts } = row;
  const productId = row.shopifyProductId?.split('/').at(-1) ?? null;
  return {
    storeId,
    storeProductId,
    productId,
    adminUrl: productId === null ? null : toAdminUrl(shop, `products/${productId}`),
    title,
    status: row.deletedAt === null ? (row.status ?? 'unknown') : 'deleted',
    publishingErrorCode,
    problem: findProblem({ ...row, notConnected: row.holding }, app.clock.now()),
    variants: (row.variants ?? []).map(toListedVariant),
    counts,
  };
}

export function toListedVariant({ variantId, title, status, reason }: VariantRow): ListedVariant {
  const isHeld = status === 'not_connected';
  return {
    variantId,
    title,
    status: status ?? 'unknown',
    reason: isHeld ? { code: reason ?? 'not_connected', message: describeReason(reason) } : null,
  };
}

/** A product that the shop never had may belong to another shop with the same print key. */
const IS_OF_ANOTHER = `(p.deleted_in_store_at is not null
      and exists (select from shops o where o.id <> p.shop_id and o.state = 'installed' and o.print_account_id = p.print_account_id)
      and not exists (select from variant_connections c where c.shop_id = p.shop_id and c.store_product_id = p.store_product_id))`;

/**
 * The variants of the store product `p`, and their places in lists: those that are not connected come first. A variant's status is that of
 * its connection. If the shop does not have the variant, the service's status applies.
 */
export const VARIANTS_OF_STORE_PRODUCT = `
      select split_part(s.shopify_variant_id, '/', 5) as "variantId", s.title, coalesce(c.status, s.status) as status, c.status as connection, c.reason,
        c.deleted_in_store_at is not null as gone, s.store_variant_id as "storeVariantId",
        coalesce(c.status, s.status) is distinct from 'not_connected' as "isLater"
      from store_product_variants s
        left join variant_connections c on c.shop_id = s.shop_id and c.shopify_variant_id = s.shopify_variant_id
      where s.store_product_id = p.id and (s.removed_at is null or c.store_product_id = p.store_product_id)`;

const LIST = `
  with page as (
    select p.* from store_products p
    where p.shop_id = $1 and ($2::bigint is null or p.id < $2::bigint) and not ${IS_OF_ANOTHER} and ($3::text is null
      or case $3 when 'deleted' then p.deleted_at is not null
        when 'problem' then (p.deleted_at is null and (p.deleted_in_store_at is not null or p.status = 'publishing_error' or p.publishing_since < $4))
          or (p.deleted_in_store_at is null and exists (
            select from store_product_variants s join variant_connections c on c.shop_id = $1 and c.shopify_variant_id = s.shopify_variant_id
            where s.store_product_id = p.id and c.status = 'not_connected' and c.deleted_in_store_at is null
              and (s.removed_at is null or c.store_product_id = p.store_product_id)))
        when 'stuck' then p.deleted_at is null and p.publishing_since < $4
        when 'connected' then exists (select from variant_connections c where c.shop_id = $1 and c.store_product_id = p.store_product_id and c.status = $3)
        when 'not_connected' then exists (select from variant_connections c where c.shop_id = $1 and c.store_product_id = p.store_product_id and c.status = $3)
        when 'ignored' then exists (select from variant_connections c where c.shop_id = $1 and c.store_product_id = p.store_product_id and c.status = $3)
        else p.deleted_at is null and p.status = $3 end)
    order by p.id desc limit $5
  )
  select p.id, p.store_id as "storeId", p.store_product_id as "storeProductId", p.shopify_product_id as "shopifyProductId", p.title, p.status,
    p.publishing_error_code as "publishingErrorCode", p.publishing_since as "publishingSince", p.deleted_at as "deletedAt",
    p.deleted_in_store_at as "deletedInStoreAt", v.counts, v.holding, v.variants
  from page p cross join lateral (
    select jsonb_build_object('connected', count(*) filter (where status = 'connected'),
        'notConnected', count(*) filter (where status = 'not_connected' and not gone), 'ignored', count(*) filter (where status = 'ignored'),
        'deletedInStore', count(*) filter (where gone)) as counts,
      count(*) filter (where connection = 'not_connected' and not gone)::int as holding,
      jsonb_agg(jsonb_build_object('variantId', "variantId", 'title', title, 'status', status, 'reason', reason) order by place)
        filter (where place <= $6) as variants
    from (select v.*, row_number() over (order by "isLater", "storeVariantId") as place from (${VARIANTS_OF_STORE_PRODUCT}) v) one
  ) v
  order by p.id desc`;
