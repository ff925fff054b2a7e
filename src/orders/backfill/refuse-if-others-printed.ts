import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { readInstallation } from '../../shops/install/installation.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { findOtherStores, findStoresOfOtherShops } from '../plan/check-other-app.ts';

/** Beyond this number of records, Platen does not check further, and the merchant must confirm that nobody else has printed orders. */
const MAX_RECORDS = 5000;
/** A reference contains the installation's four-character code (docs/rules/created-once.md#reference). */
const REFERENCE = /^pl([a-z0-9]{4})-/;

/**
 * Refuses a backfill if another app or another Platen installation (perhaps one whose database was lost) has printed through the same
 * account since the given time. The backfill would print those orders a second time if they are not yet fulfilled in the store. Also
 * refuses a backfill with too many orders to check. Throws NotPossibleError and PrintServiceError.
 */
export async function refuseIfOthersPrinted(app: App, shop: Shop, since: Date): Promise<void> {
  // The earlier print interfaces cannot list orders.
  if (shop.printAccountId === null || readSettings(shop).printInterface !== 'current') return;
  const { stores, isWhole } = await findStoresOfOthers(app, shop, shop.printAccountId, since);
  const other = await findOtherInstallation(app, shop.printAccountId, since);
  if (stores.length === 0 && other !== 'found') {
    if (isWhole && other === 'none') return;
    const message = `The print account has more than ${MAX_RECORDS} orders since that time, too many to check whether someone else printed through it. Choose a later time. If nobody else has, or if their orders are fulfilled in the store, confirm with --beside-other-app on the command line (besideOtherApp in the API).`;
    throw new NotPossibleError('another_app_printed', message);
  }
  const who = stores.length > 0 ? `Another app (store ${stores.join(', ')})` : 'Another installation of Platen';
  const message = `${who} has printed orders through the same print account since that time. Orders that are not yet fulfilled in the store would be printed twice. List the orders with a dry run. Then fulfill the orders in the store, or choose a later time. Once those orders no longer need printing, confirm with --beside-other-app on the command line (besideOtherApp in the API).`;
  throw new NotPossibleError('another_app_printed', message);
}

async function findStoresOfOthers(
  app: App,
  shop: Shop,
  printAccountId: number,
  since: Date,
): Promise<{ stores: string[]; isWhole: boolean }> {
  const { storeIds, isWhole } = await findOtherStores(app, printAccountId, { since, maxRecords: MAX_RECORDS });
  const elsewhere = await findStoresOfOtherShops(app.db.manager, shop, storeIds);
  return { stores: storeIds.filter((storeId) => !elsewhere.has(storeId)), isWhole };
}

async function findOtherInstallation(
  app: App,
  printAccountId: number,
  since: Date,
): Promise<'found' | 'none' | 'too_many'> {
  const { service } = await openPrintAccount(app, printAccountId, { extendedCalls: false });
  const { code } = await readInstallation(app);
  let looked = 0;
  for await (const record of service.searchOrders({ channels: ['api'], startDate: [since.toISOString()] })) {
    const installation = REFERENCE.exec(record.orderReferenceId)?.[1];
    if (installation !== undefined && installation !== code && record.orderType !== 'draft') return 'found';
    looked += 1;
    if (looked > MAX_RECORDS) return 'too_many';
  }
  return 'none';
}
