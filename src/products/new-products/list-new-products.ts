import type { App } from '../../app.ts';
import { NewProducts, type NewProduct } from '../../database/entities/new-products.ts';
import type { Shop } from '../../database/entities/shops.ts';

const SHOWN = 20;

/** A requested product as the API and the command line show it. Times are ISO 8601. */
export interface ShownNewProduct extends Pick<
  NewProduct,
  'id' | 'templateId' | 'storeId' | 'state' | 'storeProductId' | 'problem' | 'askedBy'
> {
  title: string;
  /** The product's ID in the shop's own store, once the product is published. */
  productId: string | null;
  askedAt: string;
  finishedAt: string | null;
}

/** Lists the most recently requested products, newest first. */
export async function listNewProducts(app: App, { id: shopId }: Pick<Shop, 'id'>): Promise<ShownNewProduct[]> {
  const rows = await app.db.manager.find(NewProducts, { where: { shopId }, order: { id: 'DESC' }, take: SHOWN });
  return rows.map(toShownNewProduct);
}

/** Converts a requested product for display. */
export function toShownNewProduct(row: NewProduct): ShownNewProduct {
  const { id, templateId, storeId, request, state, storeProductId, problem, askedBy } = row;
  return {
    id,
    templateId,
    storeId,
    title: request.title,
    state,
    storeProductId,
    productId: row.shopifyProductId,
    problem,
    askedBy,
    askedAt: row.askedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
