import { LessThanOrEqual } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintLinks, type PrintLink } from '../../database/entities/products.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { FileNetwork } from '../../print/files/public-host.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { enqueueCheckLinks } from '../links/enqueue-check-links.ts';
import { NoMemoryError } from './count-pages.ts';
import { openLinkCheck, type LinkCheck } from './open-link-check.ts';
import { readShopCountry } from './read-shop-country.ts';

/** Maximum number of links per job. Links with the same file or product share a result. */
const LINKS_PER_JOB = 1_000;
/** After this time, a job starts no further checks. The next job checks the remaining links after other shops have had their turn. */
const MAX_MS = 8_000;
/** Number of parallel checks per shop. The checks share the print account's limits with the shop's orders. */
const CONCURRENCY = 4;
/** Problems that may resolve on their own are rechecked at this interval, for `RECHECK_DAYS` after the link was saved. */
const RECHECK_MINUTES = 60;
const RECHECK_DAYS = 7;

/**
 * Checks a shop's due print links: those that were just saved and those with a problem that may resolve on its own. Saves each link's
 * problems. A link that is saved again during the check stays due. A link whose check fails is retried later. Throws the errors of
 * `readShopCountry`, in which case no link is checked.
 */
export async function checkDueLinks(app: App, { shopId }: { shopId: number }, network?: FileNetwork): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  // Without a print key, products cannot be checked. The shop's links are checked once the shop has a key.
  const accountId = shop?.printAccountId ?? null;
  if (!shop || accountId === null) return;
  const due = await readDueLinks(app, shopId);
  if (due.length > 0) {
    // Reads the country first, so that no file is fetched needlessly while the store is unavailable.
    await readShopCountry(app, shop);
    const { extendedCalls } = readSettings(shop);
    const { service } = await openPrintAccount(app, accountId, { extendedCalls, shopId });
    const outageSeconds = service.outageSeconds();
    // During an outage of the print service, nothing can be quoted, so the job waits and fetches no file.
    if (outageSeconds !== null)
      return enqueueCheckLinks(app.db, { shopId }, new Date(app.clock.now().getTime() + outageSeconds * 1000));
  }
  const check = openLinkCheck(app, { shop, accountId }, network);
  const begun = app.clock.ticks();
  let left = due.length;
  for (const some of toParallelGroups(due)) {
    if (app.clock.ticks() - begun > MAX_MS) break;
    const begunLinks = await Promise.all(some.map((link) => beginCheck(app, link)));
    const checked = await Promise.allSettled(begunLinks.map((link) => checkOne(app, check, link)));
    for (const [index, link] of begunLinks.entries()) {
      const outcome = checked[index];
      if (outcome?.status === 'rejected') await postponeCheck(app, link, outcome.reason);
    }
    left -= some.length;
  }
  if (left > 0 || due.length === LINKS_PER_JOB) return enqueueCheckLinks(app.db, { shopId });
  const [next]: { at: Date | null }[] = await app.db.query(
    'select min(check_at) as at from print_links where shop_id = $1 and check_at is not null',
    [shopId],
  );
  if (next?.at) await enqueueCheckLinks(app.db, { shopId }, next.at);
}

function readDueLinks(app: App, shopId: number): Promise<PrintLink[]> {
  return app.db.manager.find(PrintLinks, {
    where: { shopId, checkAt: LessThanOrEqual(app.clock.now()) },
    order: { checkAt: 'ASC', id: 'ASC' },
    take: LINKS_PER_JOB,
  });
}

/** Groups links that are checked in parallel. Links whose whole file may be read run alone, because each can take a minute and a half. */
function toParallelGroups(due: readonly PrintLink[]): PrintLink[][] {
  const short = due.filter(({ pageCount }) => pageCount === null);
  const long = due.filter(({ pageCount }) => pageCount !== null);
  const groups = Array.from({ length: Math.ceil(short.length / CONCURRENCY) }, (_, group) =>
    short.slice(group * CONCURRENCY, (group + 1) * CONCURRENCY),
  );
  return [...groups, ...long.map((link) => [link])];
}

/**
 * Moves the due time of a link whose whole file may be read, before its check starts. If the check ends this process, the next process does
 * not take the link again at once. Returns the link as it is stored now.
 */
async function beginCheck(app: App, link: PrintLink): Promise<PrintLink> {
  if (link.pageCount === null) return link;
  const checkAt = nextCheckAt(app);
  await app.db.query(`update print_links set check_at = $4 where id = $1 and ${UNCHANGED}`, [
    link.id,
    link.updatedAt,
    link.checkAt,
    checkAt,
  ]);
  return { ...link, checkAt };
}

async function checkOne(app: App, check: LinkCheck, link: PrintLink): Promise<void> {
  const found = await check(link);
  const now = app.clock.now();
  const isRecentlySaved = now.getTime() - link.updatedAt.getTime() < RECHECK_DAYS * 86_400_000;
  const problems = found.map(({ code, field, message, remedy }) => ({ code, field, message, remedy }));
  const checkAt = isRecentlySaved && found.some(({ mayPass }) => mayPass) ? nextCheckAt(app) : null;
  await app.db.query(
    `update print_links set problems = $4, checked_at = $5, check_at = $6 where id = $1 and ${UNCHANGED}`,
    [link.id, link.updatedAt, link.checkAt, JSON.stringify(problems), now, checkAt],
  );
}

/** Postpones a link whose check failed, so that it does not delay others. */
async function postponeCheck(app: App, { id, shopId, updatedAt, checkAt }: PrintLink, error: unknown): Promise<void> {
  const level = error instanceof NoMemoryError ? 'warn' : 'error';
  app.log[level]({ shopId, printLinkId: id, error }, 'a print link could not be checked; the check is retried later');
  await app.db.query(`update print_links set check_at = $4 where id = $1 and ${UNCHANGED}`, [
    id,
    updatedAt,
    checkAt,
    nextCheckAt(app),
  ]);
}

/** Excludes links that were saved, or marked for another check, during this check. They stay due. */
const UNCHANGED = `date_trunc('milliseconds', updated_at) = $2 and date_trunc('milliseconds', check_at) is not distinct from $3`;

function nextCheckAt(app: App): Date {
  return new Date(app.clock.now().getTime() + RECHECK_MINUTES * 60_000);
}
