import { whenRested } from '../production/when-rested.ts';
import type { StandIn } from '../stand-in.ts';
import { saveStoreProduct } from './save-store-product.ts';
import { stepPublishing } from './publish-store-product.ts';
import type { StoreProductRecord } from './store-records.ts';

/** Publishes new products automatically, one step `seconds` after the previous one. Returns a function that stops it. */
export function publishAutomatically(standIn: StandIn, seconds: number): () => void {
  return whenRested<StoreProductRecord>(standIn, 'storeProducts', {
    seconds,
    step(record) {
      const next = stepPublishing(standIn, record);
      if (next !== null) saveStoreProduct(standIn, next, 'updated');
    },
  });
}
