import { toLinkedSku } from '../../database/find-print-links.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import type { DueVariant } from './keep-scope.ts';
import { titleOf, type Look } from './look-at-variants.ts';
import { REGIONS_SEEN, stockSeen } from '../availability/stock-seen.ts';

type OfShop = Pick<Shop, 'id'>;
interface Problem {
  code: string;
  message: string;
}

const UIDS = 'array(select jsonb_array_elements_text(f.uids))';

/** Forgets variants that the store does not have any more. */
export async function forgetGone(
  queryable: Queryable,
  { id }: OfShop,
  gone: readonly { shopifyVariantId: string }[],
): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ shopifyVariantId }) => shopifyVariantId);
  const sql = 'delete from variants_in_store where shop_id = $1 and shopify_variant_id = any($2::text[])';
  await queryable.query(sql, [id, ids]);
}

/** Keeps what variants were found to be, and what they are judged by: what changes after this call makes them due once more. */
export async function saveLooks(
  queryable: Queryable,
  { id }: OfShop,
  looks: readonly Look<DueVariant>[],
): Promise<void> {
  const found = looks.map(({ row, variant, link }) => ({
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
       product_uids = ${UIDS}, connection_seen = f.connection, stock_seen = ${stockSeen(UIDS)}, regions_seen = ${REGIONS_SEEN}
     from jsonb_to_recordset($2::jsonb) f (id text, title text, sku text, item text, link bigint, connection timestamptz, uids jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = f.id`,
    [id, JSON.stringify(found)],
  );
}

/** Notes of variants, before the store is told, that Platen stocks them at its location. */
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

/** Notes of variants, before the store is told, that it is Platen who takes them away from its location. */
export async function markUnstocking(
  queryable: Queryable,
  { id }: OfShop,
  variantIds: readonly string[],
): Promise<void> {
  const sql =
    'update variants_in_store set stocked_seen = false where shop_id = $1 and shopify_variant_id = any($2::text[])';
  await queryable.query(sql, [id, variantIds]);
}

/** Has variants looked at once more. */
export async function markAgain(
  queryable: Queryable,
  { id }: OfShop,
  variantIds: readonly string[],
  at: Date,
): Promise<void> {
  const sql = 'update variants_in_store set due_at = $3 where shop_id = $1 and shopify_variant_id = any($2::text[])';
  await queryable.query(sql, [id, variantIds, at]);
}

/**
 * Variants that were looked at while there is no location are not due unless they were marked since; what was asked of their
 * location stands.
 */
export async function settleDue(
  queryable: Queryable,
  { id }: OfShop,
  looks: readonly { row: { shopifyVariantId: string; dueAt: Date } }[],
): Promise<void> {
  const rows = looks.map(({ row: { shopifyVariantId, dueAt } }) => ({ id: shopifyVariantId, dueAt }));
  await queryable.query(
    `update variants_in_store r set due_at = nullif(r.due_at, o."dueAt")
     from jsonb_to_recordset($2::jsonb) o (id text, "dueAt" timestamptz) where r.shop_id = $1 and r.shopify_variant_id = o.id`,
    [id, JSON.stringify(rows)],
  );
}

/** What became of a variant's location. */
export interface LocationOutcome {
  id: string;
  /** The mark by which it was looked at. */
  dueAt: Date;
  /** Platen has stocked it there. */
  isOurs: boolean;
  /** The store has it there. */
  isStocked: boolean;
  problem: Problem | null;
}

/**
 * Keeps what became of variants' location: they have been looked at, at the time their reading began, and are not due unless they
 * were marked since. That is told by the mark being another, and not by its time: whoever marks them may have begun before and be
 * done only now.
 */
export async function settleLocations(
  queryable: Queryable,
  { id }: OfShop,
  outcomes: readonly LocationOutcome[],
  at: Date,
): Promise<void> {
  if (outcomes.length === 0) return;
  await queryable.query(
    `update variants_in_store r set location_problem = o.problem, location_asked = r.location_asked and r.due_at is distinct from o."dueAt", looked_at = $3,
       stocked_at = case when o."isOurs" then r.stocked_at end, stocked_seen = o."isOurs" and (r.stocked_seen or o."isStocked"),
       -- Where it was taken away, it stays so at this location alone.
       location_id = case when o."isOurs" or o.problem->>'code' = 'taken_away' then r.location_id end, due_at = nullif(r.due_at, o."dueAt")
     from jsonb_to_recordset($2::jsonb) o (id text, "dueAt" timestamptz, "isOurs" boolean, "isStocked" boolean, problem jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = o.id`,
    [id, JSON.stringify(outcomes), at],
  );
}
