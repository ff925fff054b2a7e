import type { App } from '../../app.ts';

/** A product or variant whose connection metafield is out of date. If `value` is null, the metafield must be removed. */
export interface Difference {
  ownerId: string;
  value: string | null;
}

/** A refused value is retried after this time. A different value is written immediately. */
const REFUSED_MS = 86_400_000;

/**
 * Finds up to `most` of the shop's connection metafields that are out of date, sorted by owner ID. A variant's metafield shows its
 * connection status. A product's metafield shows the number of variants for each status, starting with those that are not connected. If an
 * owner has no known connection, its metafield must be removed. Values that the store recently refused are left out.
 */
export async function findDifferences(app: App, shopId: number, most: number): Promise<Difference[]> {
  const refusedAfter = new Date(app.clock.now().getTime() - REFUSED_MS);
  return app.db.query(DIFFERENCES, [shopId, refusedAfter, most]);
}

const count = (status: string): string => `nullif(count(*) filter (where status = '${status}'), 0)`;

const DIFFERENCES = `
  with known as (
    select shopify_variant_id, shopify_product_id, status from variant_connections where shop_id = $1 and deleted_in_store_at is null
  ), wanted as (
    select shopify_variant_id as owner_id, status as value from known
    union all
    select shopify_product_id, concat_ws(', ', ${count('not_connected')} || ' not connected', ${count('connected')} || ' connected',
      ${count('ignored')} || ' ignored')
    from known where shopify_product_id is not null group by shopify_product_id
  ), written as (
    select owner_id, value, refused_value, refused_at from connection_metafields where shop_id = $1
  )
  select owner_id as "ownerId", wanted.value
  from wanted full join written w using (owner_id)
  where (wanted.value is null or wanted.value is distinct from w.value)
    and (wanted.value is null or w.refused_at is null or w.refused_at <= $2 or w.refused_value is distinct from wanted.value)
  order by owner_id limit $3`;
