import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';

/** The polls that check a merchant's orders, products and connections. Other passes only clean up Platen's own data. */
export const shownPasses = [
  'catch_up_storefront_orders',
  'catch_up_fulfillment_requests',
  'catch_up_print_orders',
  'catch_up_uncertain',
  'catch_up_packages',
  'catch_up_store_updates',
  'catch_up_lost_jobs',
  'catch_up_store_products',
  'catch_up_stock',
  'catch_up_link_metafields',
  'audit_print_accounts',
] as const;

/** The last run of a poll. Platen records only the last run, and totals. */
export interface ListedPoll {
  pass: (typeof shownPasses)[number];
  /** ISO 8601. */
  lastAt: string;
  milliseconds: number;
  lastSucceededAt: string | null;
  /** The error code of the last run. Null if the run succeeded, or if the poll covers all shops at once. */
  error: string | null;
  /** How many changes the last run found. Null if the poll covers all shops at once. */
  found: number | null;
}

/** Lists the last run of each poll that covers a shop, latest first. Counts of polls over all shops are omitted. */
export async function listPolls(app: App, { id: shopId }: Pick<Shop, 'id'>): Promise<ListedPoll[]> {
  const rows: Row[] = await app.db.query(
    `select pass, last_ended_at as "lastAt", extract(epoch from last_ended_at - last_started_at)::float8 * 1000 as milliseconds,
       last_succeeded_at as "lastSucceededAt", case when last_succeeded_at = last_ended_at or shop_id is null then null else coalesce(last_error, 'unexpected') end as error,
       case when shop_id is not null then last_found end as found
     from poll_passes where pass = any($2) and (shop_id = $1 or shop_id is null)
     order by last_ended_at desc, pass limit 50`,
    [shopId, shownPasses],
  );
  return rows.map(({ lastAt, milliseconds, lastSucceededAt, ...row }) => ({
    ...row,
    lastAt: lastAt.toISOString(),
    milliseconds: Math.max(0, Math.round(milliseconds)),
    lastSucceededAt: lastSucceededAt?.toISOString() ?? null,
  }));
}

interface Row extends Pick<ListedPoll, 'pass' | 'error' | 'found'> {
  lastAt: Date;
  milliseconds: number;
  lastSucceededAt: Date | null;
}
