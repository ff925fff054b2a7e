import { Refusal, type RefusalDetail } from '../../refusal.ts';
import { findProduct } from '../catalog/find-product.ts';
import type { WantedItem } from '../production/choose-facilities.ts';
import { isSupportedCountry } from '../production/facilities.ts';

interface RequestedItem {
  itemReferenceId: string;
  productUid: string;
  pageCount?: number | undefined;
  quantity: number;
}

/** The names of the item list and of its file field, which are different in quote requests and create requests. */
interface Naming<Item> {
  list: 'items' | 'products';
  fileField: 'fileUrl' | 'files';
  hasFile(item: Item): boolean;
}

/**
 * Returns the requested items with their products. Throws a `Refusal`: 400 for an unknown product UID, a product that does not ship to
 * the country, a printable product without a file, or a multi-page product without a page count
 * (docs/rules/print-interface.md#create-item); 404 for an unsupported country.
 */
export function toWantedItems<Item extends RequestedItem>(
  items: readonly Item[],
  country: string,
  naming: Naming<Item>,
): (WantedItem & { request: Item })[] {
  const details: RefusalDetail[] = [];
  const wanted = items.flatMap((request, index) => {
    const { itemReferenceId, productUid, quantity, pageCount = null } = request;
    const refuse = (field: string, code: string, message: string) =>
      details.push({ message, reference: `${naming.list}[${index}].${field}`, code });
    const product = findProduct(productUid);
    if (!product) {
      refuse('productUid', 'unknown_product', `Product ${productUid} does not exist.`);
      return [];
    }
    if (isSupportedCountry(country) && !product.supportedCountries.includes(country)) {
      refuse('productUid', 'product_not_supported', `Product ${productUid} is not supported for country ${country}.`);
    }
    if (product.printable && !naming.hasFile(request)) {
      refuse(naming.fileField, 'file_required', 'A printable product needs a file.');
    }
    if (product.multiPage && pageCount === null) {
      refuse('pageCount', 'page_count_required', 'A multi-page product needs a page count.');
    }
    return [{ itemReferenceId, product, quantity, pageCount, request }];
  });
  const first = details[0];
  if (first) throw new Refusal(400, 'invalid_request', `${first.reference}: ${first.message}`, details);
  if (!isSupportedCountry(country))
    throw new Refusal(404, 'country_not_supported', `Country ${country} is not supported.`);
  return wanted;
}
