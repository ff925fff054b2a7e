import type { App } from '../app.ts';
import { PrintOrders } from '../database/print-orders.ts';
import { OtherAppStores, Shops, type Shop } from '../database/shops.ts';
import { PrintServiceError } from '../print/errors.ts';
import { openPrintAccount } from '../shops/print-account.ts';
import { readSettings } from '../shops/settings.ts';
import { In } from 'typeorm';

const DAYS = 7;
/** Records looked at: enough to tell, and no reading of a whole account. */
const MOST_RECORDS = 1000;

/**
 * Asks whether another connection of the same print account prints this shop's orders (design, "Which orders"): orders of
 * the last week whose channel is `shopify`, that are not ours and belong to no store known as another shop's.
 * Each store found is remembered; until the merchant allows it, the shop's orders hold. `onlyFirst`: unless it was asked before.
 */
export async function checkOtherApp(app: App, shop: Shop, { onlyFirst }: { onlyFirst: boolean }): Promise<void> {
  if (shop.printAccountId === null || (onlyFirst && shop.otherAppCheckedAt !== null)) return;
  // The earlier interface lists nothing.
  if (readSettings(shop).printInterface !== 'current') return;
  const { service } = await openPrintAccount(app, shop.printAccountId, { extendedCalls: false });
  const storeIds = new Set<string>();
  try {
    const startDate = [new Date(app.now().getTime() - DAYS * 86_400_000).toISOString()];
    let looked = 0;
    const unknown: { storeId: string; reference: string }[] = [];
    for await (const record of service.searchOrders({ channels: ['shopify'], startDate })) {
      looked += 1;
      if (record.channel === 'shopify' && record.storeId !== null)
        unknown.push({ storeId: record.storeId, reference: record.orderReferenceId });
      if (looked >= MOST_RECORDS) break;
    }
    const ours = await findOurs(
      app,
      unknown.map(({ reference }) => reference),
    );
    for (const { storeId, reference } of unknown) if (!ours.has(reference)) storeIds.add(storeId);
  } catch (error) {
    // Refused or unreachable: the quote that follows meets the same and says so.
    if (!(error instanceof PrintServiceError)) throw error;
    return;
  }
  await remember(app, shop, [...storeIds]);
}

async function findOurs(app: App, references: string[]): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const found = await app.db.manager.find(PrintOrders, {
    where: { reference: In(references) },
    select: { reference: true },
  });
  return new Set(found.map(({ reference }) => reference));
}

async function remember(app: App, shop: Shop, storeIds: string[]): Promise<void> {
  await app.db.transaction(async (manager) => {
    const elsewhere =
      storeIds.length === 0 ? [] : await manager.find(OtherAppStores, { where: { storeId: In(storeIds) } });
    const others = new Set(
      elsewhere
        .filter(({ shopId, allowedAt }) => shopId !== shop.id && allowedAt === null)
        .map(({ storeId }) => storeId),
    );
    for (const storeId of storeIds.filter((id) => !others.has(id))) {
      await manager
        .createQueryBuilder()
        .insert()
        .into(OtherAppStores)
        .values({ shopId: shop.id, storeId })
        .orIgnore()
        .execute();
    }
    await manager.update(Shops, { id: shop.id }, { otherAppCheckedAt: app.now() });
  });
}
