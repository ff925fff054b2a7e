import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import { ConnectionMetafields } from '../../database/store-products.ts';
import { hasJob } from '../../jobs/has-job.ts';
import { countInStore } from '../../products/in-store/list-in-store.ts';
import { UNSENT } from '../../shops/close-unsent.ts';

/** What Platen has set for a shop that leaving it takes back, and what it leaves alone. */
export interface ToUndo {
  /** Variants that Platen has stocked at its location. */
  stocked: number;
  /** Variants that Platen has made unsellable. */
  hidden: number;
  /** Products and variants that have a metafield of Platen's. */
  metafields: number;
  /** Print orders that were not sent to print: they are closed, and their drafts at the print service deleted; and those that are being cancelled. */
  unsent: number;
  /** Those of the print orders above that a job is at work on. */
  underWay: number;
  /** Print orders that the service prints or has shipped: they are not touched, and the store is not told of their parcels any more. */
  live: number;
}

/** Counts what there is to take back. Nothing is changed. */
export async function countToUndo(app: App, { id }: Pick<Shop, 'id'>): Promise<ToUndo> {
  const { stocked, hidden } = await countInStore(app, { id });
  const metafields = await app.db.manager.countBy(ConnectionMetafields, { shopId: id });
  const [row]: Omit<ToUndo, 'stocked' | 'hidden' | 'metafields'>[] = await app.db.query(
    `select count(*) filter (where "isUnsent")::int as unsent, count(*) filter (where "isLive" and not "isUnsent")::int as live,
       count(*) filter (where "isUnsent" and ${hasJob(`'submit:' || one.id`)})::int as "underWay"
     from (select p.id, ${TO_FENCE} or (${UNSENT}) as "isUnsent",
         p.confirmed_at is not null and p.state not in ('fulfilled', 'canceled', 'failed') and p.fenced_at is null as "isLive"
       from print_orders p where p.shop_id = $1) one`,
    [id],
  );
  return { stocked, hidden, metafields, ...(row ?? { unsent: 0, underWay: 0, live: 0 }) };
}

/** SQL: closed without having been sent, or being cancelled, and its end is not proven yet. */
export const TO_FENCE = `(p.fenced_at is null and ((p.closed_at is not null and p.confirmed_at is null)
  or (p.cancel_requested_at is not null and p.cancel_refused_at is null and p.state not in ('fulfilled', 'canceled', 'failed'))))`;
