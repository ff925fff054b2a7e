import type { StandIn } from '../stand-in.ts';
import { saveStoreProduct } from './save-store-product.ts';
import { stepPublishing } from './publish-store-product.ts';
import type { StoreProductRecord } from './store-records.ts';

const MIN_TICK_MS = 20;
const MAX_TICK_MS = 1000;

/** Publishes new products automatically, one step `seconds` after the previous one. Returns a function that stops the timer. */
export function publishAutomatically(standIn: StandIn, seconds: number): () => void {
  const stepMs = seconds * 1000;
  const tickMs = Math.min(MAX_TICK_MS, Math.max(MIN_TICK_MS, stepMs / 5));
  return standIn.clock.every(tickMs, () => {
    const dueBefore = standIn.clock.now().getTime() - stepMs;
    for (const record of standIn.books.all<StoreProductRecord>('storeProducts')) {
      const next = record.movedMs > dueBefore ? null : stepPublishing(standIn, record);
      if (next !== null) saveStoreProduct(standIn, next, 'updated');
    }
  });
}
