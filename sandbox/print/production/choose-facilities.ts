import type { Product } from '../catalog/product.ts';
import { facilitiesFor, type Facility } from './facilities.ts';

/** One wanted item with its product. */
export interface WantedItem {
  itemReferenceId: string;
  product: Product;
  pageCount: number | null;
  quantity: number;
}

/** What one facility makes of an order. */
export interface Share<Item extends WantedItem> {
  facility: Facility;
  items: Item[];
}

/**
 * Shares items out over facilities: one for all of them when there is one, the recipient's country before its region before the
 * rest of the world; else as few as a greedy choice finds.
 */
export function chooseFacilities<Item extends WantedItem>(items: readonly Item[], country: string): Share<Item>[] {
  const facilities = facilitiesFor(country);
  const shares: Share<Item>[] = [];
  let left = [...items];
  while (left.length > 0) {
    const offers = facilities.map((facility) => ({
      facility,
      items: left.filter((item) => item.product.madeIn.includes(facility.country)),
    }));
    const best = offers.reduce((one, other) => (other.items.length > one.items.length ? other : one));
    if (best.items.length === 0) throw new Error('a product is made nowhere');
    shares.push(best);
    left = left.filter((item) => !best.items.includes(item));
  }
  return shares;
}
