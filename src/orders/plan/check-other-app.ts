import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { OtherAppStores, Shops, type Shop } from '../../database/entities/shops.ts';
import { PrintStores } from '../../database/entities/store-products.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';

const DAYS = 7;
/** Maximum number of records to read, which is enough to detect another app without reading the entire account. */
const MAX_RECORDS = 1000;

/**
 * Checks whether another connection of the print account prints this shop's orders (docs/rules/planning.md#another-app). The check searches
 * the account's `shopify` orders of the last week for orders that Platen did not create and whose store is not known to belong to another
 * shop. Platen records each such store and holds the shop's orders until the merchant allows that store. `onlyFirst` skips shops that have
 * already been checked.
 */
export async function checkOtherApp(app: App, shop: Shop, { onlyFirst }: { onlyFirst: boolean }): Promise<void> {
  if (shop.printAccountId === null || (onlyFirst && shop.otherAppCheckedAt !== null)) return;
  // The earlier interfaces cannot list orders.
  if (readSettings(shop).printInterface !== 'current') return;
  try {
    const since = new Date(app.clock.now().getTime() - DAYS * 86_400_000);
    const { storeIds } = await findOtherStores(app, shop.printAccountId, { since, maxRecords: MAX_RECORDS });
    await saveOtherStores(app, shop, storeIds);
  } catch (error) {
    // If the service refuses the search or is unreachable, the next quote fails for the same reason and reports the problem.
    if (!(error instanceof PrintServiceError)) throw error;
  }
}

/**
 * Returns the stores whose orders since `since` were printed by another connection of the account. `isWhole` is true if there are at most
 * `maxRecords` records for that time, so that all of them were read. Throws PrintServiceError.
 */
export async function findOtherStores(
  app: App,
  printAccountId: number,
  { since, maxRecords }: { since: Date; maxRecords: number },
): Promise<{ storeIds: string[]; isWhole: boolean }> {
  const { service } = await openPrintAccount(app, printAccountId, { extendedCalls: false });
  let looked = 0;
  const unknown: { storeId: string; reference: string }[] = [];
  for await (const record of service.searchOrders({ channels: ['shopify'], startDate: [since.toISOString()] })) {
    looked += 1;
    if (looked > maxRecords) break;
    if (record.channel === 'shopify' && record.storeId !== null)
      unknown.push({ storeId: record.storeId, reference: record.orderReferenceId });
  }
  const ours = await findOurs(
    app,
    unknown.map(({ reference }) => reference),
  );
  const others = unknown.filter(({ reference }) => !ours.has(reference));
  return { storeIds: [...new Set(others.map(({ storeId }) => storeId))], isWhole: looked <= maxRecords };
}

async function findOurs(app: App, references: string[]): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const found = await app.db.manager.find(PrintOrders, {
    where: { reference: In(references) },
    select: { reference: true },
  });
  return new Set(found.map(({ reference }) => reference));
}

/**
 * Returns the stores that belong to another shop. A store belongs to another shop if it has that shop's products, or if the shop's orders
 * are known to be printed by another app through that store.
 */
export async function findStoresOfOtherShops(
  manager: EntityManager,
  shop: Shop,
  storeIds: readonly string[],
): Promise<Set<string>> {
  if (storeIds.length === 0) return new Set();
  const where = { storeId: In(storeIds), shopId: Not(shop.id) };
  const byOrders = await manager.findBy(OtherAppStores, { ...where, allowedAt: IsNull() });
  const byProducts = await manager.findBy(PrintStores, where);
  return new Set([...byOrders, ...byProducts].map(({ storeId }) => storeId));
}

async function saveOtherStores(app: App, shop: Shop, storeIds: string[]): Promise<void> {
  await app.db.transaction(async (manager) => {
    const others = await findStoresOfOtherShops(manager, shop, storeIds);
    for (const storeId of storeIds.filter((id) => !others.has(id)))
      await insertIfNew(manager, OtherAppStores, { shopId: shop.id, storeId });
    await manager.update(Shops, { id: shop.id }, { otherAppCheckedAt: app.clock.now() });
  });
}
