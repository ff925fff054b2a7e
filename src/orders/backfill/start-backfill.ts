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
  /** Somebody says that what another app printed in that time is fulfilled, or not to be counted. */
  besideOtherApp: boolean;
  by: 'cli' | 'merchant';
}

/**
 * Begins to take in the orders of a shop that were placed from a time on, before the install or while the app was down; in a dry run
 * they are only listed. One at a time for each shop. Throws InvalidInputError, ScopeNeededError where the store would not show all of
 * them, NotPossibleError, ShopifyError and PrintServiceError.
 */
export async function startBackfill(app: App, shop: Shop, asked: AskedBackfill): Promise<Backfill> {
  const { isDryRun, by: askedBy } = asked;
  if (shop.state !== 'installed')
    throw new NotPossibleError('shop_not_installed', 'The store has to have Platen, and to be signed in, first.');
  const now = app.now();
  const since = parseSince(asked.since, shop.timeZone, now);
  await refuseUnreadableOrders(app, shop, since);
  if (!isDryRun && !asked.besideOtherApp) {
    // Without the key nobody knows what was printed through its account.
    if (shop.printAccountId === null)
      throw new NotPossibleError(
        'no_print_account',
        'Give the shop its printKey first: who else has printed through its account since then is asked there. Or say that nobody did, or that their orders are settled (--beside-other-app).',
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

/** Should the job of the one under way have failed for the last time, it goes on with this. */
async function refuseSecond(app: App, { id: shopId }: Shop): Promise<never> {
  const underWay = await app.db.manager.findOneBy(Backfills, { shopId, finishedAt: IsNull() });
  if (underWay) await enqueueBackfill(app, app.db, underWay);
  const what = underWay?.isDryRun === true ? 'A dry run' : 'A backfill';
  throw new NotPossibleError(
    'backfill_under_way',
    `${what} of this shop is under way: the next can begin when it is done.`,
  );
}
