import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintStores, StoreProducts, type StoreProduct } from '../../database/entities/store-products.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import type { StoreProduct as Reading } from '../../print/current/store-products.ts';
import { readVariantsOfProduct } from '../../shopify/calls/store-variants.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { savePublishingState } from '../new-products/save-publishing-state.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';
import { recordStoreVariants } from './record-store-variants.ts';
import { toStoreProduct, type StoreProductFacts } from './to-store-product.ts';

const RECENT_MS = 86_400_000;
/**
 * Stored in place of the hash if the service lists variants that the store does not have yet. The next pass then reads the product again.
 * Used only if the product was created or changed within the last day.
 */
const INCOMPLETE = '';

/** A store product from the service's response, with the account and time of the request. */
export interface StoreProductReading {
  storeId: string;
  reading: Reading;
  printAccountId: number;
  /** The time when the reading began. An older reading does not replace a newer one. */
  readAt: Date;
}

/**
 * Applies a reading of a store product: its publishing status, its variants and their connections. If the reading contains changes, also
 * reads the product's variants from the shop's store. Ignores an unknown product if its `externalId` is not the ID of one of this shop's
 * products and its store is not known to belong to this shop. Safe to call twice and in any order. Returns whether something changed.
 * Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function receiveStoreProduct(app: App, shop: Shop, read: StoreProductReading): Promise<boolean> {
  const facts = toStoreProduct(read.storeId, read.reading);
  await savePublishingState(app, shop.id, read.reading);
  const { manager } = app.db;
  const key = { shopId: shop.id, storeId: facts.storeId, storeProductId: facts.storeProductId };
  const known = await manager.findOneBy(StoreProducts, key);
  if (known && isUnchangedReading(app, known, facts, read.printAccountId)) {
    if (known.readAt < read.readAt) await manager.update(StoreProducts, { id: known.id }, { readAt: read.readAt });
    return false;
  }
  const since = app.clock.now();
  const variants =
    facts.shopifyProductId === null
      ? null
      : await readVariantsOfProduct(await openAdmin(app, shop, { isBulk: true }), facts.shopifyProductId);
  const inShop = variants && new Set(variants.map(({ id }) => id));
  const isOurStore = await isStoreOf(manager, shop, facts);
  if (!known && inShop === null && !isOurStore) {
    app.log.info({ shopId: shop.id }, 'ignored a store product that does not belong to the shop');
    return false;
  }
  return app.db.transaction(async (transaction) => {
    await lockConnections(transaction, shop.id);
    return saveProduct(app, transaction, { shop, facts, read, inShop, known, since });
  });
}

/**
 * Returns whether the store belongs to the shop. The setting alone is enough only for a product without `externalId`, and only if no shop
 * is known to have the store.
 */
async function isStoreOf(
  manager: EntityManager,
  shop: Shop,
  { storeId, shopifyProductId }: StoreProductFacts,
): Promise<boolean> {
  if (await manager.existsBy(PrintStores, { shopId: shop.id, storeId })) return true;
  if (shopifyProductId !== null || readSettings(shop).printStoreId !== storeId) return false;
  return !(await manager.existsBy(PrintStores, { storeId }));
}

/**
 * Returns whether a reading has no changes. A product that disappeared from the shop within the last day never counts as unchanged, because
 * it may have reappeared.
 */
export function isUnchangedReading(
  app: App,
  known: StoreProduct,
  { sha256 }: StoreProductFacts,
  printAccountId: number,
): boolean {
  const { readingSha256, deletedAt, deletedInStoreAt } = known;
  const isJustGone = deletedInStoreAt !== null && isRecent(app, deletedInStoreAt);
  return readingSha256 === sha256 && deletedAt === null && !isJustGone && known.printAccountId === printAccountId;
}

function isRecent(app: App, at: Date): boolean {
  return app.clock.now().getTime() - at.getTime() < RECENT_MS;
}

interface ProductToSave {
  shop: Shop;
  facts: StoreProductFacts;
  read: StoreProductReading;
  /** The variants of the shop's product. Null if the shop does not have the product. */
  inShop: ReadonlySet<string> | null;
  /** The time when the reading of these variants began. */
  since: Date;
  /** The row before the reading. */
  known: StoreProduct | null;
}

async function saveProduct(
  app: App,
  manager: EntityManager,
  { shop, facts, read, inShop, known, since }: ProductToSave,
): Promise<boolean> {
  const isGone = facts.shopifyProductId !== null && inShop === null;
  const named = facts.variants.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []);
  const isComplete = inShop === null || named.every((id) => inShop.has(id));
  const changedAt = read.reading.updatedAt === null ? null : parseTimestamp(read.reading.updatedAt);
  const isJustChanged = [known?.createdAt ?? app.clock.now(), changedAt].some((at) => at !== null && isRecent(app, at));
  const rows: { id: string }[] = await manager.query(KEEP_PRODUCT, [
    shop.id,
    read.printAccountId,
    facts.storeId,
    facts.storeProductId,
    facts.shopifyProductId,
    facts.title,
    facts.status,
    facts.publishingErrorCode,
    // A product with variants that the shop does not show yet is read again by the next pass.
    isComplete || !isJustChanged ? facts.sha256 : INCOMPLETE,
    read.readAt,
    app.clock.now(),
    isGone,
    since,
  ]);
  const [row] = rows;
  if (!row) return false;
  if (inShop !== null) await insertIfNew(manager, PrintStores, { shopId: shop.id, storeId: facts.storeId });
  const kept: { id: string | null }[] = await manager.query(KEEP_VARIANTS, [
    row.id,
    shop.id,
    JSON.stringify(facts.variants),
    app.clock.now(),
  ]);
  const ids = [...new Set(kept.flatMap(({ id }) => id ?? []))];
  const connected: { id: string }[] = await manager.query(
    'select shopify_variant_id as id from variant_connections where shop_id = $1 and shopify_variant_id = any($2::text[])',
    [shop.id, ids],
  );
  const connectedIds = new Set(connected.map(({ id }) => id));
  const { shopifyProductId } = facts;
  if (shopifyProductId !== null)
    await recordStoreVariants(app, manager, shop.id, { shopifyProductId, ids, inShop: inShop ?? new Set(), since });
  // Variants that the shop does not have are not connected.
  const ours = ids.filter((id) => inShop?.has(id) || connectedIds.has(id));
  const connections = await connectVariants(app, manager, shop.id, ours);
  const isNews =
    (known?.readingSha256 !== facts.sha256 && known?.readingSha256 !== INCOMPLETE) ||
    known.deletedAt !== null ||
    (known.deletedInStoreAt !== null) !== isGone;
  return isNews || connections > 0;
}

/** A later reading that is already saved takes precedence. */
const KEEP_PRODUCT = `
  insert into store_products as p (shop_id, print_account_id, store_id, store_product_id, shopify_product_id, title, status,
    publishing_error_code, reading_sha256, read_at, publishing_since, deleted_in_store_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $7 = 'publishing' then $11::timestamptz end,
    case when $12::boolean then $13::timestamptz end)
  on conflict (shop_id, store_id, store_product_id) do update set print_account_id = excluded.print_account_id,
    shopify_product_id = coalesce(excluded.shopify_product_id, p.shopify_product_id), title = excluded.title, status = excluded.status,
    publishing_error_code = excluded.publishing_error_code, reading_sha256 = excluded.reading_sha256, read_at = excluded.read_at,
    publishing_since = case when excluded.publishing_since is null then null else coalesce(p.publishing_since, excluded.publishing_since) end,
    deleted_in_store_at = case when $12::boolean then coalesce(p.deleted_in_store_at, $13::timestamptz)
      when p.deleted_in_store_at > $13 then p.deleted_in_store_at end, deleted_at = null
  where p.read_at <= excluded.read_at
  returning p.id`;

/**
 * Saves the variants and returns the current and previous variants by their IDs in the shop. A reading without variants removes none,
 * because every product has at least one variant.
 */
const KEEP_VARIANTS = `
  with reported as (
    select * from jsonb_to_recordset($3::jsonb) t ("storeVariantId" text, "shopifyVariantId" text, title text, status text)
  ), before as (
    select store_variant_id, shopify_variant_id from store_product_variants where store_product_id = $1
  ), removed as (
    update store_product_variants set removed_at = $4
    where store_product_id = $1 and removed_at is null and exists (select from reported) and store_variant_id not in (select "storeVariantId" from reported)
  ), kept as (
    insert into store_product_variants as s (store_product_id, store_variant_id, shop_id, shopify_variant_id, title, status)
    select $1, "storeVariantId", $2, "shopifyVariantId", title, status from reported
    on conflict (store_product_id, store_variant_id) do update set shopify_variant_id = excluded.shopify_variant_id,
      title = excluded.title, status = excluded.status, removed_at = null
  )
  select shopify_variant_id as id from before union select "shopifyVariantId" from reported`;
