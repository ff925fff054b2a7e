import type { App } from '../../app.ts';
import { Backfills, type Backfill, type FoundOrder } from '../../database/entities/backfills.ts';
import type { Shop } from '../../database/entities/shops.ts';

/** The maximum number of backfills in the list. */
const MAX_SHOWN = 20;

/** A backfill as the command line and the API show it, with times in ISO 8601. */
export interface ListedBackfill {
  id: string;
  since: string;
  dryRun: boolean;
  askedBy: string;
  startedAt: string;
  finishedAt: string | null;
  /** Why the backfill stopped early. Null if it did not. */
  stopped: string | null;
  /** When the last order read so far was placed. A backfill reads orders from oldest to newest. */
  readUntil: string | null;
  orders: {
    read: number;
    known: number;
    /** The number of orders that the backfill has imported or, in a dry run, would import. */
    taken: number;
  };
  /** In a dry run, the orders that the backfill would import, oldest first. */
  found: FoundOrder[];
}

/** Lists a shop's latest backfills, newest first. */
export async function listBackfills(app: App, shop: Pick<Shop, 'id'>): Promise<ListedBackfill[]> {
  const rows = await app.db.manager.find(Backfills, {
    where: { shopId: shop.id },
    order: { id: 'DESC' },
    take: MAX_SHOWN,
  });
  return rows.map(toListedBackfill);
}

export function toListedBackfill(backfill: Backfill): ListedBackfill {
  const { id, since, isDryRun: dryRun, askedBy, startedAt, finishedAt, stoppedReason: stopped, found } = backfill;
  return {
    id,
    since: since.toISOString(),
    dryRun,
    askedBy,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    stopped,
    readUntil: backfill.readUntil?.toISOString() ?? null,
    orders: { read: backfill.ordersRead, known: backfill.ordersKnown, taken: backfill.ordersFound },
    found,
  };
}
