import { toLinkedSku } from '../../database/find-print-links.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import type { DueVariant } from './variant-sync-context.ts';
import { titleOf, type VariantReading } from './read-variants.ts';
import { KNOWN_REGIONS_SQL, stockHashSql } from '../availability/stock-hash.ts';

type OfShop = Pick<Shop, 'id'>;
interface Problem {
  code: string;
  message: string;
}

const UIDS = 'array(select jsonb_array_elements_text(f.uids))';

/** Deletes variants that are no longer in the store. */
export async function deleteMissingVariants(
  queryable: Queryable,
  { id }: OfShop,
  gone: readonly { shopifyVariantId: string }[],
): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ shopifyVariantId }) => shopifyVariantId);
  const sql = 'delete from variants_in_store where shop_id = $1 and shopify_variant_id = any($2::text[])';
  await queryable.query(sql, [id, ids]);
}

/** Saves the checked state of variants and the data on which the check is based. A later change of that data makes them due again. */
export async function saveReadings(
  queryable: Queryable,
  { id }: OfShop,
  readings: readonly VariantReading<DueVariant>[],
): Promise<void> {
  const found = readings.map(({ row, variant, link }) => ({
    id: variant.id,
    title: titleOf(variant),
    sku: toLinkedSku(variant.sku),
    item: variant.inventoryItem.id,
    link: link?.id ?? null,
    connection: row.connectionUpdatedAt,
    uids: [link?.productUid, link?.envelopeProductUid].filter((uid) => typeof uid === 'string'),
  }));
  await queryable.query(
    `update variants_in_store r set title = f.title, sku = f.sku, inventory_item_id = f.item, print_link_id = f.link,
       product_uids = ${UIDS}, connection_seen = f.connection, stock_seen = ${stockHashSql(UIDS)}, regions_seen = ${KNOWN_REGIONS_SQL}
     from jsonb_to_recordset($2::jsonb) f (id text, title text, sku text, item text, link bigint, connection timestamptz, uids jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = f.id`,
    [id, JSON.stringify(found)],
  );
}

/** Records, before the call to the store, that Platen stocks variants at its location. */
export async function markStocked(
  queryable: Queryable,
  { id, locationId }: Pick<Shop, 'id' | 'locationId'>,
  variantIds: readonly string[],
  at: Date,
): Promise<void> {
  await queryable.query(
    `update variants_in_store set stocked_at = case when location_id = $3 then coalesce(stocked_at, $4) else $4 end, location_id = $3, stocked_seen = false
     where shop_id = $1 and shopify_variant_id = any($2::text[])`,
    [id, variantIds, locationId, at],
  );
}

/** Records, before the call to the store, that Platen itself removes variants from its location. */
export async function markUnstocking(
  queryable: Queryable,
  { id }: OfShop,
  variantIds: readonly string[],
): Promise<void> {
  const sql =
    'update variants_in_store set stocked_seen = false where shop_id = $1 and shopify_variant_id = any($2::text[])';
  await queryable.query(sql, [id, variantIds]);
}

/** Marks variants as due again. */
export async function markVariantsDue(
  queryable: Queryable,
  { id }: OfShop,
  variantIds: readonly string[],
  at: Date,
): Promise<void> {
  const sql = 'update variants_in_store set due_at = $3 where shop_id = $1 and shopify_variant_id = any($2::text[])';
  await queryable.query(sql, [id, variantIds, at]);
}

/**
 * Completes the check of variants while Platen has no location. The variants are no longer due, unless they have since been marked again. A
 * person's pending request to stock them (`location_asked`) remains.
 */
export async function endDueChecks(
  queryable: Queryable,
  { id }: OfShop,
  readings: readonly { row: { shopifyVariantId: string; dueAt: Date } }[],
): Promise<void> {
  const rows = readings.map(({ row: { shopifyVariantId, dueAt } }) => ({ id: shopifyVariantId, dueAt }));
  await queryable.query(
    `update variants_in_store r set due_at = nullif(r.due_at, o."dueAt")
     from jsonb_to_recordset($2::jsonb) o (id text, "dueAt" timestamptz) where r.shop_id = $1 and r.shopify_variant_id = o.id`,
    [id, JSON.stringify(rows)],
  );
}

/** The result of stocking a variant at Platen's location, or of removing it from there. */
export interface LocationOutcome {
  id: string;
  /** The mark that made the variant due for this check. */
  dueAt: Date;
  /** Whether Platen has stocked the variant there. */
  isOurs: boolean;
  /** Whether the store shows the variant there. */
  isStocked: boolean;
  problem: Problem | null;
}

/**
 * Saves the results for variants' locations. Variants count as checked at the time when Platen began to read them, and are no longer due
 * unless they have since been marked again. Marks are compared for equality and not by time, because a transaction that began earlier may
 * commit its mark later.
 */
export async function saveLocationOutcomes(
  queryable: Queryable,
  { id }: OfShop,
  outcomes: readonly LocationOutcome[],
  at: Date,
): Promise<void> {
  if (outcomes.length === 0) return;
  await queryable.query(
    `update variants_in_store r set location_problem = o.problem, location_asked = r.location_asked and r.due_at is distinct from o."dueAt", looked_at = $3,
       stocked_at = case when o."isOurs" then r.stocked_at end, stocked_seen = o."isOurs" and (r.stocked_seen or o."isStocked"),
       -- A variant that someone removed stays removed, but only from this location.
       location_id = case when o."isOurs" or o.problem->>'code' = 'taken_away' then r.location_id end, due_at = nullif(r.due_at, o."dueAt")
     from jsonb_to_recordset($2::jsonb) o (id text, "dueAt" timestamptz, "isOurs" boolean, "isStocked" boolean, problem jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = o.id`,
    [id, JSON.stringify(outcomes), at],
  );
}
