import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { ProductStocks, type ProductStock } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NOT_REPORTED, type StockFacts } from './to-stock-rows.ts';
import { enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';

/** A change in a product's saved stock. */
export interface StockChange {
  before: ProductStock;
  after: StockFacts;
}

/**
 * Saves the stock of a shop's products from a reading or an event. A reading covers all products that were `asked`: regions and products
 * that the response omits get the status `not-told`, unless the whole response is empty. An event (`asked` is null) affects only the
 * regions and products that it names. Returns the changes. Stock that was not saved before does not count as a change.
 */
export async function saveStock(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  facts: readonly StockFacts[],
  { readAt, asked }: { readAt: Date; asked: readonly string[] | null },
): Promise<StockChange[]> {
  if (facts.length === 0) return [];
  const isRead = asked !== null;
  return app.db.transaction(async (manager) => {
    const productUid = In(asked ?? [...new Set(facts.map((one) => one.productUid))]);
    const known = await manager.find(ProductStocks, {
      where: { shopId, productUid },
      lock: { mode: 'for_no_key_update' },
    });
    const knownOf = new Map(known.map((row) => [keyOf(row), row]));
    const changes: StockChange[] = [];
    const given = isRead ? [...facts, ...findMissingFacts(facts, known)] : facts;
    // Older stock never replaces newer stock.
    const current = given.filter((after) => (knownOf.get(keyOf(after))?.readAt ?? readAt) <= readAt);
    if (current.length === 0) return [];
    const rows = current.map((after) => {
      const before = knownOf.get(keyOf(after));
      const isSame = before?.status === after.status && before.replenishmentDate === after.replenishmentDate;
      if (before && !isSame && ![before.status, after.status].includes(NOT_REPORTED)) changes.push({ before, after });
      // The first reading that confirms an event's status also counts as a change, because events are not signed and only readings are
      // trusted.
      const isKnown = before && isSame && (before.isRead || !isRead);
      return { shopId, ...after, isRead, changedAt: isKnown ? before.changedAt : readAt, readAt };
    });
    // Sorted, so that parallel writes wait for each other and do not deadlock.
    rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await manager.upsert(ProductStocks, rows, ['shopId', 'productUid', 'stockRegionUid']);
    if (rows.some(({ changedAt }) => changedAt === readAt)) await enqueueSyncVariants(manager, shopId);
    return changes;
  });
}

function findMissingFacts(facts: readonly StockFacts[], known: readonly ProductStock[]): StockFacts[] {
  const keys = new Set(facts.map(keyOf));
  const missing = known.filter((row) => !keys.has(keyOf(row)));
  return missing.map(({ productUid, stockRegionUid }) => {
    return { productUid, stockRegionUid, status: NOT_REPORTED, replenishmentDate: null };
  });
}

function keyOf({ productUid, stockRegionUid }: Pick<ProductStock, 'productUid' | 'stockRegionUid'>): string {
  return JSON.stringify([productUid, stockRegionUid]);
}
