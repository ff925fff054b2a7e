import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { ConnectionStatus } from '../../database/entities/products.ts';
import { type Queryable } from '../../jobs/enqueue.ts';
import { enqueueConnectionUpdate } from '../connection-metafields/enqueue-connection-update.ts';
import { decideConnection, type Claim } from './decide-connection.ts';
import { enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';

/** The first key of the advisory lock under which a shop's connections change. The second key is the shop's ID. */
const LOCK = 578_804_690;

/** Serializes changes to a shop's connections, because each decision uses all claims. The lock ends with the transaction. */
export async function lockConnections(manager: EntityManager, shopId: number): Promise<void> {
  await manager.query('select pg_advisory_xact_lock($1, $2)', [LOCK, shopId]);
}

interface KnownConnection {
  shopifyVariantId: string;
  /** Null if nothing was known about the variant. */
  status: ConnectionStatus | null;
  isGone: boolean;
  storeProductId: string | null;
  reason: string | null;
  claims: Claim[];
  shopifyProductId: string | null;
}

/**
 * Decides the connections of these variants again. If a variant is no longer disconnected or is now ignored, enqueues a job that replans
 * the orders that were held for it. After any change, enqueues a job that writes the connections to the store (`enqueueConnectionUpdate`).
 * Must be called under `lockConnections`. Returns the number of changes.
 */
export async function connectVariants(
  app: App,
  manager: EntityManager,
  shopId: number,
  shopifyVariantIds: readonly string[],
): Promise<number> {
  if (shopifyVariantIds.length === 0) return 0;
  const known: KnownConnection[] = await manager.query(KNOWN, [shopId, shopifyVariantIds]);
  const decided = known.flatMap(({ shopifyVariantId, shopifyProductId, claims, ...about }) => {
    const connection = decideConnection(claims, about);
    return connection ? [{ shopifyVariantId, shopifyProductId, ...connection }] : [];
  });
  const changed: { id: string }[] = await manager.query(KEEP, [shopId, JSON.stringify(decided), app.clock.now()]);
  const before = new Map(known.map((one) => [one.shopifyVariantId, one]));
  const isResolved = decided.some(({ shopifyVariantId, status, reason }) => {
    const was = before.get(shopifyVariantId);
    // An ignored variant no longer waits for a print link. If the store has deleted a variant, its SKU's link applies.
    return (
      (status !== 'not_connected' && was?.status === 'not_connected') ||
      (status === 'ignored' && was?.status !== 'ignored') ||
      (reason === 'deleted_in_store' && was?.status === 'not_connected' && was.reason !== reason)
    );
  });
  if (changed.length > 0) await enqueueSyncVariants(manager, shopId);
  if (isResolved) await enqueuePlanConnected(app, manager, shopId);
  if (changed.length > 0) await enqueueConnectionUpdate(manager, shopId);
  return changed.length;
}

/** Enqueues a job that replans the orders that are held for a variant that is now connected or ignored. */
export async function enqueuePlanConnected(app: App, queryable: Queryable, shopId: number): Promise<void> {
  await app.jobs.enqueue(queryable, 'plan_connected_orders', { shopId });
}

const KNOWN = `
  select v.id as "shopifyVariantId", c.status, c.store_product_id as "storeProductId", c.reason, c.deleted_in_store_at is not null as "isGone",
    coalesce(max(p.shopify_product_id), c.shopify_product_id) as "shopifyProductId",
    coalesce(jsonb_agg(jsonb_build_object('storeProductId', p.store_product_id, 'status', s.status,
      'isDeleted', p.deleted_at is not null, 'isRemoved', s.removed_at is not null,
      'isOfOtherKey', p.print_account_id <> (select print_account_id from shops where id = $1)) order by p.id desc) filter (where p.id is not null), '[]') as claims
  from unnest($2::text[]) v (id)
    left join variant_connections c on c.shop_id = $1 and c.shopify_variant_id = v.id
    left join store_product_variants s on s.shop_id = $1 and s.shopify_variant_id = v.id
    left join store_products p on p.id = s.store_product_id
  group by v.id, c.status, c.store_product_id, c.reason, c.deleted_in_store_at, c.shopify_product_id`;

/** Sorted in the same way as saves of print links, so that parallel writes of the same variants wait for each other and do not deadlock. */
const KEEP = `
  insert into variant_connections as c (shop_id, shopify_variant_id, shopify_product_id, status, store_product_id, reason, updated_at)
  select $1, d."shopifyVariantId", d."shopifyProductId", d.status, d."storeProductId", d.reason, $3
  from jsonb_to_recordset($2::jsonb) d ("shopifyVariantId" text, "shopifyProductId" text, status text, "storeProductId" text, reason text)
  order by d."shopifyVariantId" collate "C"
  on conflict (shop_id, shopify_variant_id) do update set shopify_product_id = excluded.shopify_product_id, status = excluded.status,
    store_product_id = excluded.store_product_id, reason = excluded.reason, updated_at = excluded.updated_at
  where (c.shopify_product_id, c.status, c.store_product_id, c.reason)
    is distinct from (excluded.shopify_product_id, excluded.status, excluded.store_product_id, excluded.reason)
  returning c.id`;
