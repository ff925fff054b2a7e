import type { Change } from '../../books.ts';
import { isInStockRegion, STOCK_REGIONS, type StockRegion } from './stock-regions.ts';
import { findProduct } from './find-product.ts';
import type { Product } from './product.ts';
import type { StandIn } from '../stand-in.ts';

/**
 * The statuses of the documented interface and two additional ones: `non-stockable` (made on demand) and `not-supported` (does not ship
 * to the region).
 */
export const STOCK_STATUSES = [
  'in-stock',
  'out-of-stock-replenishable',
  'out-of-stock',
  'non-stockable',
  'not-supported',
] as const;

interface RegionStock {
  status: (typeof STOCK_STATUSES)[number];
  /** YYYY-MM-DD */
  replenishmentDate: string | null;
}

/** A product's stock in every region, as the service returns it. */
export interface ProductStock {
  productUid: string;
  availability: (RegionStock & { stockRegionUid: StockRegion })[];
}

/** A product's stock in the books. Contains only the regions whose stock has been changed. */
type ChangedStock = Partial<Record<StockRegion, RegionStock>>;

const TABLE = 'stock';

/** Returns the stock of a product in every region. An unknown product is `not-supported`. */
export function stockOf({ books }: StandIn, productUid: string): ProductStock {
  const product = findProduct(productUid);
  const changed = books.get<ChangedStock>(TABLE, productUid) ?? {};
  return {
    productUid,
    availability: STOCK_REGIONS.map((stockRegionUid) => {
      const seeded: RegionStock = { status: seededStatus(product, stockRegionUid), replenishmentDate: null };
      return { stockRegionUid, ...(changed[stockRegionUid] ?? seeded) };
    }),
  };
}

/** Returns the change to the books that sets a product's stock in these regions. */
export function planStock({ books }: StandIn, productUid: string, changed: ChangedStock): Change {
  return ['put', TABLE, productUid, { ...books.get<ChangedStock>(TABLE, productUid), ...changed }];
}

/** Resets every product to its initial stock. */
export function resetStock({ books }: StandIn): void {
  books.clear(TABLE);
}

function seededStatus(product: Product | undefined, region: StockRegion): RegionStock['status'] {
  if (!product?.supportedCountries.some((country) => isInStockRegion(country, region))) return 'not-supported';
  return product.madeOnDemand ? 'non-stockable' : 'in-stock';
}
