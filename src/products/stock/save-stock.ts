import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { ProductStocks, type ProductStock } from '../../database/products.ts';
import type { Shop } from '../../database/shops.ts';
import { enqueueKeepVariants } from '../../shops/enqueue-keep-variants.ts';
import type { StockFacts } from './to-stock-rows.ts';

/** What was kept of products that are now known to be otherwise. */
export interface StockChange {
  before: ProductStock;
  after: StockFacts;
}

/** Keeps what was told of a shop's products at a moment. Returns what has changed; what is told for the first time is no change. */
export async function saveStock(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  facts: readonly StockFacts[],
  readAt: Date,
): Promise<StockChange[]> {
  if (facts.length === 0) return [];
  return app.db.transaction(async (manager) => {
    const productUid = In([...new Set(facts.map((one) => one.productUid))]);
    const known = await manager.find(ProductStocks, {
      where: { shopId, productUid },
      lock: { mode: 'for_no_key_update' },
    });
    const knownOf = new Map(known.map((row) => [keyOf(row), row]));
    const changes: StockChange[] = [];
    // A younger word stands.
    const young = facts.filter((after) => (knownOf.get(keyOf(after))?.readAt ?? readAt) <= readAt);
    if (young.length === 0) return [];
    const rows = young.map((after) => {
      const before = knownOf.get(keyOf(after));
      const isSame = before?.status === after.status && before.replenishmentDate === after.replenishmentDate;
      if (before && !isSame) changes.push({ before, after });
      return { shopId, ...after, changedAt: before && isSame ? before.changedAt : readAt, readAt };
    });
    // In one order, so that two that write the same wait for each other.
    rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await manager.upsert(ProductStocks, rows, ['shopId', 'productUid', 'stockRegionUid']);
    if (rows.some(({ changedAt }) => changedAt === readAt)) await enqueueKeepVariants(app, manager, { id: shopId });
    return changes;
  });
}

function keyOf({ productUid, stockRegionUid }: Pick<ProductStock, 'productUid' | 'stockRegionUid'>): string {
  return JSON.stringify([productUid, stockRegionUid]);
}
