import type { EntityManager } from 'typeorm';
import { toLinkedSku } from '../../database/find-print-links.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { KNOWN_REGIONS_SQL, stockHashSql } from '../availability/stock-hash.ts';

/** How Platen manages a shop's variants in the store, according to the shop's settings. */
export interface VariantPolicy {
  /** Whether variants are stocked at Platen's location. */
  stocks: boolean;
  /** Whether variants that cannot be delivered are made unsellable. */
  hides: boolean;
}

/**
 * Marks the shop's variants as due if their connection, print link or stock at the print service has changed since their last check. A
 * variant that Platen could not remove from its location, or could not restore, is not marked again.
 */
export async function markChangedVariants(
  queryable: Queryable,
  { id }: Pick<Shop, 'id'>,
  aims: VariantPolicy,
  now: Date,
): Promise<void> {
  await queryable.query(CONNECTED, [id, now, aims.hides, aims.stocks]);
  await queryable.query(NO_LONGER_PRINTED, [id, now, aims.stocks, aims.hides]);
}

/** Marks the shop's variants as due if they lacked a permission that the store now grants. */
export async function markPermittedVariants(
  queryable: Queryable,
  { id }: Pick<Shop, 'id'>,
  granted: VariantPolicy,
  now: Date,
): Promise<void> {
  await queryable.query(
    `update variants_in_store set due_at = $2 where shop_id = $1 and due_at is null
       and (($3 and location_problem->>'code' = 'no_permission') or ($4 and stock_note->>'code' = 'no_permission'))`,
    [id, now, granted.stocks, granted.hides],
  );
}

/**
 * Marks the given variants as due if their SKU has changed since their last check, because another print link may now apply. Returns the
 * number of marked variants.
 */
export async function markChangedSkus(
  manager: EntityManager,
  { id }: Pick<Shop, 'id'>,
  variants: readonly { id: string; sku: string | null }[],
  now: Date,
): Promise<number> {
  const found = variants.map((variant) => ({ id: variant.id, sku: toLinkedSku(variant.sku) }));
  const [, marked]: [unknown, number] = await manager.query(
    `update variants_in_store r set due_at = $3 from jsonb_to_recordset($2::jsonb) f (id text, sku text)
     where r.shop_id = $1 and r.shopify_variant_id = f.id and r.due_at is null and r.sku is distinct from f.sku`,
    [id, JSON.stringify(found), now],
  );
  return marked;
}

/**
 * Marks as due all of the shop's connected variants and all variants that Platen has checked before. Their stocking at Platen's location is
 * then updated even if the setting `stockAtLocation` is off.
 */
export async function markAllVariants(queryable: Queryable, { id }: Pick<Shop, 'id'>, now: Date): Promise<void> {
  await queryable.query(
    `insert into variants_in_store as r (shop_id, shopify_variant_id, due_at, location_asked)
     select shop_id, shopify_variant_id, $2::timestamptz, true from variant_connections
     where shop_id = $1 and status = 'connected' and deleted_in_store_at is null
     union select shop_id, shopify_variant_id, $2, true from variants_in_store where shop_id = $1
     on conflict (shop_id, shopify_variant_id) do update set due_at = excluded.due_at, location_asked = true`,
    [id, now],
  );
}

/** Returns SQL for a print link's product UIDs, in the form in which `saveReadings` saves them. */
function uidsOf(link: string): string {
  return `array_remove(array[${link}.product_uid, ${link}.envelope_product_uid], null)`;
}

/**
 * Compares values instead of times, because a slow transaction may commit a change after a check although the change's timestamp is
 * earlier.
 */
const CONNECTED = `
  with regions as materialized (select case when $3 then ${KNOWN_REGIONS_SQL} end as uids)
  insert into variants_in_store as v (shop_id, shopify_variant_id, due_at)
  select c.shop_id, c.shopify_variant_id, $2 from variant_connections c
    left join variants_in_store r on r.shop_id = c.shop_id and r.shopify_variant_id = c.shopify_variant_id
    left join print_links l on l.shop_id = c.shop_id and l.shopify_variant_id = c.shopify_variant_id
    left join print_links b on b.shop_id = r.shop_id and b.sku = r.sku and b.shopify_variant_id is null and l.id is null
    join shops s on s.id = c.shop_id
  where c.shop_id = $1 and c.status = 'connected' and c.deleted_in_store_at is null
    and (r.shop_id is null or (r.due_at is null and (c.updated_at is distinct from r.connection_seen
      or (l.id is not null and (l.id, ${uidsOf('l')}) is distinct from (r.print_link_id, r.product_uids))
      or (b.id is not null and (b.id, ${uidsOf('b')}) is distinct from (r.print_link_id, r.product_uids))
      or ($4 and r.stocked_at is not null and r.location_id is distinct from s.location_id)
      or ($3 and r.stock_seen is distinct from ${stockHashSql('r.product_uids')})
      -- Unsellable variants were checked against the regions that were known at that time.
      or ($3 and r.found is not null and r.regions_seen is distinct from (select uids from regions)))))
  on conflict (shop_id, shopify_variant_id) do update set due_at = excluded.due_at`;

const NO_LONGER_PRINTED = `
  update variants_in_store r set due_at = $2
  where r.shop_id = $1 and r.due_at is null
    and (($3 and r.stocked_at is not null and r.location_problem is null) or ($4 and r.found is not null and r.stock_note->>'code' = 'unsellable'))
    and (not exists (select from variant_connections c where c.shop_id = r.shop_id and c.shopify_variant_id = r.shopify_variant_id
        and c.status = 'connected' and c.deleted_in_store_at is null)
      or (r.print_link_id is not null and not exists (select from print_links l where l.id = r.print_link_id)))`;
