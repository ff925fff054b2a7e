import type { Product } from '../catalog/product.ts';
import { listFacilitiesFor, type Facility } from './facilities.ts';

/** A requested item with its product. */
export interface WantedItem {
  itemReferenceId: string;
  product: Product;
  pageCount: number | null;
  quantity: number;
}

/** The items of an order that a single facility makes. */
export interface Share<Item extends WantedItem> {
  facility: Facility;
  items: Item[];
}

/**
 * Assigns items to facilities. If at least one facility makes all items, a single facility gets all of them: preferably one in the
 * recipient's country, then one in the recipient's region. Otherwise, a greedy algorithm keeps the number of facilities small.
 */
export function chooseFacilities<Item extends WantedItem>(items: readonly Item[], country: string): Share<Item>[] {
  const facilities = listFacilitiesFor(country);
  const shares: Share<Item>[] = [];
  let left = [...items];
  while (left.length > 0) {
    const offers = facilities.map((facility) => ({
      facility,
      items: left.filter((item) => item.product.madeIn.includes(facility.country)),
    }));
    const best = offers.reduce((one, other) => (other.items.length > one.items.length ? other : one));
    if (best.items.length === 0) throw new Error('no facility makes a product of the order');
    shares.push(best);
    left = left.filter((item) => !best.items.includes(item));
  }
  return shares;
}
