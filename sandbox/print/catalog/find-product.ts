import { Refusal } from '../../refusal.ts';
import { apparel } from './apparel.ts';
import { blankEnvelopes } from './blank-envelopes.ts';
import { cards } from './cards.ts';
import type { Catalog } from './catalog.ts';
import { mugs } from './mugs.ts';
import { phoneCases } from './phone-cases.ts';
import { photoBooks } from './photo-books.ts';
import { posters } from './posters.ts';
import type { Product } from './product.ts';

/** All catalogs. Together, they contain all of the stand-in's products. */
export const catalogs: readonly Catalog[] = [posters, cards, photoBooks, apparel, mugs, phoneCases, blankEnvelopes];

const byUid = new Map(catalogs.flatMap(({ products }) => products).map((product) => [product.productUid, product]));

/** Returns the product with this uid, if any. */
export function findProduct(productUid: string): Product | undefined {
  return byUid.get(productUid);
}

/** Returns the product with this uid. Throws a 404 if no catalog contains it. */
export function productOf(productUid: string): Product {
  const product = findProduct(productUid);
  if (product) return product;
  throw new Refusal(404, 'not_found', `Product ${productUid.slice(0, 300)} does not exist.`);
}

/** Returns the catalog with this uid. Throws a 404 if the catalog does not exist. */
export function catalogOf(catalogUid: string): Catalog {
  const catalog = catalogs.find((one) => one.catalogUid === catalogUid);
  if (catalog) return catalog;
  throw new Refusal(404, 'not_found', `Catalog ${catalogUid.slice(0, 300)} does not exist.`);
}
