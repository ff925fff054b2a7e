import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { enqueue, type Queryable } from '../jobs/enqueue.ts';

/** Rechecks every variant in the shop that Platen has checked before. */
export async function enqueueKeepAllVariants(
  app: App,
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
): Promise<void> {
  await queryable.query('update variants_in_store set due_at = $2 where shop_id = $1', [shopId, app.now()]);
  await enqueue(queryable, 'keep_variants', { shopId });
}
