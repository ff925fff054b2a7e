import type { App } from '../../app.ts';
import { PrintLinks, type PrintLink } from '../../database/products.ts';
import { Shops, type Shop } from '../../database/shops.ts';
import type { FileNetwork } from '../../print/fetch-print-file.ts';
import { openPrintAccount } from '../../shops/print-account.ts';
import { readSettings } from '../../shops/settings.ts';
import { enqueueCheckLinks } from '../links/enqueue-check-links.ts';
import { checkPrintLink } from './check-print-link.ts';
import { readShopCountry } from './read-shop-country.ts';

/** Links that one job checks; more are left to the next, so that no job runs for long. */
const LINKS_A_JOB = 8;
/** Checks of one shop at a time: a key of the print service has other work to do. */
const AT_A_TIME = 4;
/** What may be over by itself is looked at again after this time, for some days after the link was saved. */
const AGAIN_MINUTES = 60;
const AGAIN_DAYS = 7;

/**
 * Checks the print links of a shop that were saved, or found wrong in a way that may pass, and keeps what is wrong with each. One that
 * is saved anew meanwhile stays due; one whose check fails is tried again later. Throws as `readShopCountry`, and nothing is checked then.
 */
export async function checkDueLinks(app: App, { shopId }: { shopId: number }, network?: FileNetwork): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  // Nothing can be said of a product without a key: once there is one, the shop goes on with this too.
  if (!shop || shop.printAccountId === null) return;
  const due = await readDue(app, shopId);
  if (due.length > 0) {
    // While the store cannot be asked for it, no file is fetched in vain.
    await readShopCountry(app, shop);
    const { extendedCalls } = readSettings(shop);
    const { service } = await openPrintAccount(app, shop.printAccountId, { extendedCalls, shopId });
    const outageSeconds = service.outageSeconds();
    // Nor while the print service cannot be asked for the product.
    if (outageSeconds !== null)
      return enqueueCheckLinks(app, app.db, { shopId }, new Date(app.now().getTime() + outageSeconds * 1000));
  }
  for (let start = 0; start < due.length; start += AT_A_TIME) {
    const some = due.slice(start, start + AT_A_TIME);
    const checked = await Promise.allSettled(some.map((link) => checkOne(app, shop, link, network)));
    for (const [index, link] of some.entries()) {
      const outcome = checked[index];
      if (outcome?.status === 'rejected') await postpone(app, link, outcome.reason);
    }
  }
  if (due.length === LINKS_A_JOB) return enqueueCheckLinks(app, app.db, { shopId });
  const [next]: { at: Date | null }[] = await app.db.query(
    'select min(check_at) as at from print_links where shop_id = $1 and check_at is not null',
    [shopId],
  );
  if (next?.at) await enqueueCheckLinks(app, app.db, { shopId }, next.at);
}

function readDue(app: App, shopId: number): Promise<PrintLink[]> {
  return app.db.manager
    .createQueryBuilder(PrintLinks, 'l')
    .where('l.shop_id = :shopId and l.check_at <= :now', { shopId, now: app.now() })
    .orderBy('l.check_at')
    .addOrderBy('l.id')
    .limit(LINKS_A_JOB)
    .getMany();
}

async function checkOne(app: App, shop: Shop, link: PrintLink, network?: FileNetwork): Promise<void> {
  const found = await checkPrintLink(app, shop, link, network);
  const now = app.now();
  const isYoung = now.getTime() - link.updatedAt.getTime() < AGAIN_DAYS * 86_400_000;
  const problems = found.map(({ code, field, message, remedy }) => ({ code, field, message, remedy }));
  const checkAt = isYoung && found.some(({ mayPass }) => mayPass) ? minutesFromNow(app) : null;
  await app.db.query(
    `update print_links set problems = $4, checked_at = $5, check_at = $6 where id = $1 and ${UNCHANGED}`,
    [link.id, link.updatedAt, link.checkAt, JSON.stringify(problems), now, checkAt],
  );
}

/** A check that fails holds up no other: its link comes again with those that may pass. */
async function postpone(app: App, { id, shopId, updatedAt, checkAt }: PrintLink, error: unknown): Promise<void> {
  app.log.error({ shopId, printLinkId: id, error }, 'a print link could not be checked; it is tried again');
  await app.db.query(`update print_links set check_at = $4 where id = $1 and ${UNCHANGED}`, [
    id,
    updatedAt,
    checkAt,
    minutesFromNow(app),
  ]);
}

/** A link that was saved meanwhile, or that somebody asked to have checked again, is due still. */
const UNCHANGED = `date_trunc('milliseconds', updated_at) = $2 and date_trunc('milliseconds', check_at) is not distinct from $3`;

function minutesFromNow(app: App): Date {
  return new Date(app.now().getTime() + AGAIN_MINUTES * 60_000);
}
