import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { readInstallation } from '../../shops/install/installation.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { findOtherStores, findStoresElsewhere } from '../plan/check-other-app.ts';

/** Records looked at: beyond that nobody knows, and a person has to say. */
const MOST_RECORDS = 5000;
/** A reference of Platen begins with four characters of its installation (created-once page, ground rules). */
const REFERENCE = /^pl([a-z0-9]{4})-/;

/**
 * Refuses to take in orders of a time in which somebody else printed through the same account: another app, or an installation of
 * Platen whose database is another one or lost. What they have sent to print, and nobody has fulfilled in the store yet, would be printed
 * twice. So does a time of which not all could be looked at. Throws NotPossibleError, and PrintServiceError.
 */
export async function refuseOtherPrinters(app: App, shop: Shop, since: Date): Promise<void> {
  // The earlier interface lists nothing.
  if (shop.printAccountId === null || readSettings(shop).printInterface !== 'current') return;
  const { stores, isWhole } = await findStoresOfOthers(app, shop, shop.printAccountId, since);
  const other = await findOtherInstallation(app, shop.printAccountId, since);
  if (stores.length === 0 && other !== 'found') {
    if (isWhole && other === 'none') return;
    const message = `The print account has more than ${MOST_RECORDS} orders since then, too many to see whether somebody else has printed through it. Choose a later time; or, if nobody else did, or what they printed is fulfilled in the store, say so (--beside-other-app).`;
    throw new NotPossibleError('another_app_printed', message);
  }
  const who = stores.length > 0 ? `Another app (store ${stores.join(', ')})` : 'Another installation of Platen';
  const message = `${who} has printed orders through the same print account since then: those that are not fulfilled in the store yet would be printed once more. List what would be taken with a dry run, fulfil those orders in the store or choose a later time, and then say that the others' orders are settled (--beside-other-app).`;
  throw new NotPossibleError('another_app_printed', message);
}

async function findStoresOfOthers(
  app: App,
  shop: Shop,
  printAccountId: number,
  since: Date,
): Promise<{ stores: string[]; isWhole: boolean }> {
  const { storeIds, isWhole } = await findOtherStores(app, printAccountId, { since, mostRecords: MOST_RECORDS });
  const elsewhere = await findStoresElsewhere(app.db.manager, shop, storeIds);
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
    if (looked > MOST_RECORDS) return 'too_many';
  }
  return 'none';
}
