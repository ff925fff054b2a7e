import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { ProductStocks, type ProductStock } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NOT_TOLD, type StockFacts } from './to-stock-rows.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/** What was kept of products that are now known to be otherwise. */
export interface StockChange {
  before: ProductStock;
  after: StockFacts;
}

/**
 * Keeps what was told of a shop's products at a moment. A reading names what was `asked` and is whole: of a region or a product
 * that it leaves out nothing is told any more, unless it tells of nothing at all; an event (null) tells of what it names alone.
 * Returns what has changed; what is told for the first time is no change.
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
    const told = isRead ? [...facts, ...leftOut(facts, known)] : facts;
    // A younger word stands.
    const young = told.filter((after) => (knownOf.get(keyOf(after))?.readAt ?? readAt) <= readAt);
    if (young.length === 0) return [];
    const rows = young.map((after) => {
      const before = knownOf.get(keyOf(after));
      const isSame = before?.status === after.status && before.replenishmentDate === after.replenishmentDate;
      if (before && !isSame && ![before.status, after.status].includes(NOT_TOLD)) changes.push({ before, after });
      // What is certain only now is news for those who go by it.
      const isKnown = before && isSame && (before.isRead || !isRead);
      return { shopId, ...after, isRead, changedAt: isKnown ? before.changedAt : readAt, readAt };
    });
    // In one order, so that two that write the same wait for each other.
    rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await manager.upsert(ProductStocks, rows, ['shopId', 'productUid', 'stockRegionUid']);
    if (rows.some(({ changedAt }) => changedAt === readAt)) await enqueue(manager, 'keep_variants', { shopId });
    return changes;
  });
}

function leftOut(facts: readonly StockFacts[], known: readonly ProductStock[]): StockFacts[] {
  const keys = new Set(facts.map(keyOf));
  const missing = known.filter((row) => !keys.has(keyOf(row)));
  return missing.map(({ productUid, stockRegionUid }) => {
    return { productUid, stockRegionUid, status: NOT_TOLD, replenishmentDate: null };
  });
}

function keyOf({ productUid, stockRegionUid }: Pick<ProductStock, 'productUid' | 'stockRegionUid'>): string {
  return JSON.stringify([productUid, stockRegionUid]);
}
