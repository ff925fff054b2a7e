import type { Product } from './product.ts';

/** An attribute of a catalog's products with all its possible values, as the service returns it. */
interface CatalogAttribute {
  productAttributeUid: string;
  title: string;
  values: { productAttributeValueUid: string; title: string }[];
}

/** A catalog offered by the stand-in. */
export interface Catalog {
  catalogUid: string;
  title: string;
  productAttributes: readonly CatalogAttribute[];
  products: readonly Product[];
}

/** Creates an attribute. `values` maps the uid of each value to its title or to an object with a title. */
export function createAttribute(
  productAttributeUid: string,
  title: string,
  values: Readonly<Record<string, string | { title: string }>>,
): CatalogAttribute {
  return {
    productAttributeUid,
    title,
    values: Object.entries(values).map(([uid, value]) => ({
      productAttributeValueUid: uid,
      title: typeof value === 'string' ? value : value.title,
    })),
  };
}

/** The status attribute. Every product that can be ordered has it. */
export const productStatus = createAttribute('ProductStatus', 'Product Status', { activated: 'Activated' });

export const ORIENTATIONS = ['ver', 'hor'] as const;
export const orientation = createAttribute('Orientation', 'Orientation', { ver: 'Portrait', hor: 'Landscape' });
