import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Backfills, type Backfill } from '../../database/entities/backfills.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { refuseUnreadableOrders } from '../../shops/tokens/scopes.ts';
import { enqueueBackfill } from '../enqueue/enqueue-backfill.ts';
import { parseSince } from './parse-since.ts';
import { refuseOtherPrinters } from './refuse-other-printers.ts';

interface AskedBackfill {
  /** A day in the shop's time zone, or an ISO moment. */
  since: string;
  isDryRun: boolean;
  /** Confirms that orders another app printed in that time are fulfilled or do not count. */
  besideOtherApp: boolean;
  by: 'cli' | 'merchant';
}

/**
 * Starts to take in the orders of a shop that were placed since a time, before the install or during an outage; a dry run only lists them.
 * One at a time per shop. Throws InvalidInputError, ScopeNeededError when the store would not show all orders, NotPossibleError,
 * ShopifyError and PrintServiceError.
 */
export async function startBackfill(app: App, shop: Shop, asked: AskedBackfill): Promise<Backfill> {
  const { isDryRun, by: askedBy } = asked;
  if (shop.state !== 'installed')
    throw new NotPossibleError('shop_not_installed', 'Platen must be installed in the store and signed in first.');
  const now = app.now();
  const since = parseSince(asked.since, shop.timeZone, now);
  await refuseUnreadableOrders(app, shop, since);
  if (!isDryRun && !asked.besideOtherApp) {
    // Without the key, Platen cannot check what was printed through its account.
    if (shop.printAccountId === null)
      throw new NotPossibleError(
        'no_print_account',
        'Enter the key of the print account first, so that Platen can check who else has printed through it since then. Or confirm that nobody did, or that their orders are settled, with --beside-other-app on the command line (besideOtherApp in the API).',
      );
    await refuseOtherPrinters(app, shop, since);
  }
  const started = await app.db.transaction(async (manager) => {
    const row = { shopId: shop.id, since, until: now, isDryRun, askedBy, startedAt: now };
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(Backfills)
      .values(row)
      .orIgnore()
      .returning('id')
      .execute();
    const [made] = raw as { id: string }[];
    if (!made) return null;
    await enqueueBackfill(app, manager, { ...made, shopId: shop.id });
    return manager.findOneByOrFail(Backfills, { id: made.id });
  });
  return started ?? refuseSecond(app, shop);
}

/** If the job of the running backfill has failed for the last time, this restarts it. */
async function refuseSecond(app: App, { id: shopId }: Shop): Promise<never> {
  const underWay = await app.db.manager.findOneBy(Backfills, { shopId, finishedAt: IsNull() });
  if (underWay) await enqueueBackfill(app, app.db, underWay);
  const what = underWay?.isDryRun === true ? 'A dry run' : 'A backfill';
  throw new NotPossibleError(
    'backfill_under_way',
    `${what} of this shop is under way. The next one can start when it is done.`,
  );
}
