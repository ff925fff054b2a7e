import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Backfills, type Backfill } from '../../database/entities/backfills.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import { NotPossibleError } from '../../errors.ts';
import { requireReadableOrders } from '../../shops/tokens/scopes.ts';
import { enqueueBackfill } from '../enqueue/enqueue-backfill.ts';
import { parseSince } from './parse-since.ts';
import { refuseIfOthersPrinted } from './refuse-if-others-printed.ts';

interface BackfillRequest {
  /** A day in the shop's time zone, or an ISO date and time with an offset. */
  since: string;
  isDryRun: boolean;
  /**
   * Confirms that nobody else has printed orders through the account since that time, or that the orders printed by others no longer need
   * printing.
   */
  besideOtherApp: boolean;
  by: 'cli' | 'merchant';
}

/**
 * Starts importing the orders that were placed since a given time, for example before the installation or during an outage. A dry run only
 * lists the orders. A shop can have only one running backfill. Throws InvalidInputError, ScopeNeededError if Platen lacks the permission to
 * read orders from that time, NotPossibleError, ShopifyError and PrintServiceError.
 */
export async function startBackfill(app: App, shop: Shop, asked: BackfillRequest): Promise<Backfill> {
  const { isDryRun, by: askedBy } = asked;
  if (shop.state !== 'installed')
    throw new NotPossibleError('shop_not_installed', 'Install Platen in the store and sign in first.');
  const now = app.clock.now();
  const since = parseSince(asked.since, shop.timeZone, now);
  await requireReadableOrders(app, shop, since);
  if (!isDryRun && !asked.besideOtherApp) {
    // Without the print account's key, Platen cannot check which orders were printed through that account.
    if (shop.printAccountId === null)
      throw new NotPossibleError(
        'no_print_account',
        'Enter the key of the print account first, so that Platen can check who else has printed through it since that time. If nobody else has, or if their orders no longer need printing, confirm with --beside-other-app on the command line (besideOtherApp in the API).',
      );
    await refuseIfOthersPrinted(app, shop, since);
  }
  const started = await app.db.transaction(async (manager) => {
    const row = { shopId: shop.id, since, until: now, isDryRun, askedBy, startedAt: now };
    if (!(await insertIfNew(manager, Backfills, row))) return null;
    // A shop has at most one unfinished backfill.
    const created = await manager.findOneByOrFail(Backfills, { shopId: shop.id, finishedAt: IsNull() });
    await enqueueBackfill(app, manager, created);
    return created;
  });
  return started ?? refuseSecondBackfill(app, shop);
}

/** Refuses a second backfill. Also enqueues the running backfill's job again, in case that job has used up its retries. */
async function refuseSecondBackfill(app: App, { id: shopId }: Shop): Promise<never> {
  const underWay = await app.db.manager.findOneBy(Backfills, { shopId, finishedAt: IsNull() });
  if (underWay) await enqueueBackfill(app, app.db, underWay);
  const what = underWay?.isDryRun === true ? 'A dry run' : 'A backfill';
  throw new NotPossibleError(
    'backfill_under_way',
    `${what} of this shop is under way. You can start the next one when it ends.`,
  );
}
