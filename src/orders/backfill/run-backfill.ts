import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Backfills, type Backfill, type FoundOrder } from '../../database/entities/backfills.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { readPlacedOrders, type PlacedOrder } from '../../shopify/calls/orders.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { toStorableTime } from '../../to-storable-time.ts';
import { enqueueBackfill } from '../enqueue/enqueue-backfill.ts';
import { previewOrder } from './preview-order.ts';
import { canSkipOrder, importOrder } from './import-order.ts';

/** The number of orders on a page. Each job handles one page. */
const PAGE = 20;
/** A backfill pauses while its orders have at least this many due jobs, so that new orders do not wait behind them. */
const MAX_DUE = 20;
const BUSY_MS = 2_000;
/** A dry run lists at most this many orders, but counts all of them. */
const MAX_LISTED = 500;

const PAID = new Set(['PAID', 'PARTIALLY_REFUNDED']);

/**
 * Imports the next page of a backfill and enqueues the job for the following page. The cursor moves only after the whole page is
 * imported, so an interrupted page is repeated. A repeated page creates nothing twice. Throws ShopifyError.
 */
export async function runBackfill(app: App, { backfillId }: { backfillId: string }): Promise<void> {
  const backfill = await app.db.manager.findOneBy(Backfills, { id: backfillId, finishedAt: IsNull() });
  if (!backfill) return;
  const shop = await app.db.manager.findOneByOrFail(Shops, { id: backfill.shopId });
  // `resumeBackfills` enqueues the backfill again when the shop signs in or starts using Platen again.
  if (shop.state === 'needs_sign_in' || shop.state === 'leaving') return;
  if (shop.state !== 'installed' || shop.installedAt > backfill.startedAt)
    return stopBackfill(app, backfill, 'The store removed Platen after the backfill started.');
  if (await isBusy(app, backfill)) {
    const runAt = new Date(app.clock.now().getTime() + BUSY_MS);
    return enqueueBackfill(app, app.db, backfill, { runAt });
  }
  const admin = await openAdmin(app, shop);
  const page = await readPlacedOrders(admin, backfill, { first: PAGE, after: backfill.cursor });
  const taken = { known: 0, found: 0, listed: [] as FoundOrder[] };
  for (const order of page.nodes.filter(isEligible)) {
    const outcome = await handleOrder(app, { backfill, shop, admin, order });
    if (outcome === 'known') taken.known += 1;
    else if (outcome !== 'nothing') taken.found += 1;
    if (typeof outcome === 'object') taken.listed.push(outcome);
  }
  await savePage(app, backfill, { page, ...taken });
}

/** Returns whether an order is paid, open and not completely fulfilled. The plan decides later which units to print. */
function isEligible({ cancelledAt, closedAt, displayFinancialStatus, displayFulfillmentStatus }: PlacedOrder): boolean {
  const isOpen = cancelledAt === null && closedAt === null;
  return isOpen && PAID.has(displayFinancialStatus ?? '') && displayFulfillmentStatus !== 'FULFILLED';
}

interface OrderToHandle {
  backfill: Backfill;
  shop: Shop;
  admin: AdminApi;
  order: PlacedOrder;
}

async function handleOrder(app: App, found: OrderToHandle): Promise<'known' | 'taken' | 'nothing' | FoundOrder> {
  const { backfill, shop, order } = found;
  if (await canSkipOrder(app, shop, backfill, order)) return 'known';
  if (backfill.isDryRun) return (await previewOrder(app, found)) ?? 'nothing';
  await importOrder(app, shop, backfill, order);
  return 'taken';
}

async function isBusy(app: App, { id }: Backfill): Promise<boolean> {
  const [row]: { due: number }[] = await app.db.query(
    `select count(*)::int as due from storefront_orders o join graphile_worker.jobs j on j.queue_name = 'order:' || o.id
     where o.backfill_id = $1 and j.run_at <= $2 and j.attempts < j.max_attempts`,
    [id, app.clock.now()],
  );
  return (row?.due ?? 0) >= MAX_DUE;
}

interface PageDone {
  page: Awaited<ReturnType<typeof readPlacedOrders>>;
  known: number;
  found: number;
  listed: FoundOrder[];
}

async function savePage(app: App, backfill: Backfill, { page, known, found, listed }: PageDone): Promise<void> {
  const { hasNextPage, endCursor } = page.pageInfo;
  const isLast = !hasNextPage || endCursor === null;
  const last = page.nodes.at(-1);
  await app.db.transaction(async (manager) => {
    const { affected } = await manager.update(
      Backfills,
      // Another worker may have received the same job and finished it first. These conditions then match no row.
      { id: backfill.id, ordersRead: backfill.ordersRead, finishedAt: IsNull(), cursor: backfill.cursor ?? IsNull() },
      {
        cursor: endCursor,
        readUntil: toStorableTime(new Date(last?.createdAt ?? Number.NaN)) ?? backfill.readUntil,
        ordersRead: backfill.ordersRead + page.nodes.length,
        ordersKnown: backfill.ordersKnown + known,
        ordersFound: backfill.ordersFound + found,
        found: [...backfill.found, ...listed].slice(0, MAX_LISTED),
        finishedAt: isLast ? app.clock.now() : null,
      },
    );
    if (affected === 1 && !isLast) await enqueueBackfill(app, manager, backfill);
  });
}

async function stopBackfill(app: App, { id }: Backfill, stoppedReason: string): Promise<void> {
  await app.db.manager.update(Backfills, { id, finishedAt: IsNull() }, { finishedAt: app.clock.now(), stoppedReason });
}
