import type { Shop } from '../../database/shops.ts';
import type { VariantInStore } from '../../database/variants-in-store.ts';
import type { Queryable } from '../../jobs/enqueue.ts';

/** Notes what was found of variants, before the store is told that they are unsellable. */
export async function markFound(
  queryable: Queryable,
  { id }: Pick<Shop, 'id'>,
  marks: readonly ({ id: string } & Pick<VariantInStore, 'found'>)[],
): Promise<void> {
  if (marks.length === 0) return;
  await queryable.query(
    `update variants_in_store r set found = m.found
     from jsonb_to_recordset($2::jsonb) m (id text, found jsonb) where r.shop_id = $1 and r.shopify_variant_id = m.id`,
    [id, JSON.stringify(marks)],
  );
}

/** What became of a variant's stock. */
export interface SellableOutcome extends Pick<VariantInStore, 'found'> {
  id: string;
  isHidden: boolean;
  note: { code: string; message: string } | null;
}

/** Keeps what became of variants' stock. That they have been looked at is kept with their location, which comes after. */
export async function settleSellable(
  queryable: Queryable,
  { id }: Pick<Shop, 'id'>,
  outcomes: readonly SellableOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  await queryable.query(
    `update variants_in_store r set found = o.found, stock_note = o.note,
       hidden_at = case when o."isHidden" then coalesce(r.hidden_at, clock_timestamp()) end
     from jsonb_to_recordset($2::jsonb) o (id text, found jsonb, "isHidden" boolean, note jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = o.id`,
    [id, JSON.stringify(outcomes)],
  );
}
