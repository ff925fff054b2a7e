import { currencySchema } from '../../../src/print/current/request-objects.ts';
import { Refusal } from '../../refusal.ts';
import { findProduct } from '../catalog/find-product.ts';
import type { WantedItem } from '../production/choose-facilities.ts';
import { isSupportedCountry } from '../production/facilities.ts';
import type { QuotedProduct, Recipient } from './promises.ts';

/** A quoted product and its envelopes, with their catalog data. */
export interface WantedProduct extends WantedItem {
  quoted: QuotedProduct;
  envelopes: WantedItem[];
}

/** The `stateCode` values of military mail in the United States. */
const MILITARY_POST = new Set(['AA', 'AE', 'AP']);

/** Adds the catalog data to the products. Throws a `Refusal` (400) for an unknown uid and for an envelope that needs a print file. */
export function toWantedProducts(
  products: readonly QuotedProduct[],
  listName: (index: number) => string,
): WantedProduct[] {
  return products.map((quoted, index) => ({
    ...toWantedItem(quoted.itemReferenceId, quoted, listName(index)),
    quoted,
    envelopes: quoted.envelopes.map((envelope, position) => {
      const path = `${listName(index)}.options[${position}]`;
      const wanted = toWantedItem(quoted.itemReferenceId, envelope, path);
      if (!wanted.product.printable) return wanted;
      throw new Refusal(400, 'invalid_request', `${path}.productUid: must be an envelope`);
    }),
  }));
}

function toWantedItem(
  itemReferenceId: string,
  wish: { productUid: string; quantity: number },
  path: string,
): WantedItem {
  const product = findProduct(wish.productUid);
  // Page counts exist only in the current interface. In the earlier interface, the print file determines the number of pages.
  if (product) return { itemReferenceId, product, pageCount: null, quantity: wish.quantity };
  throw new Refusal(400, 'unknown_product', `Product uid does not exist: ${path}.productUid.`);
}

/**
 * Throws a quote's 404 (docs/rules/print-interface.md#messages-of-v1-and-v2) for an unlisted currency, an unsupported country, a product
 * that does not ship to the country, or an address that carriers do not reach. The stand-in's carriers reach every address except United
 * States military mail (`stateCode` AA, AE, AP).
 */
export function refuseUnsupported(
  products: readonly WantedProduct[],
  { countryIsoCode, stateCode }: Recipient,
  currency: string,
): void {
  const refuse = (code: string, message: string) => {
    throw new Refusal(404, code, message);
  };
  if (!currencySchema.safeParse(currency).success) refuse('currency_not_supported', 'Currency not supported.');
  if (!isSupportedCountry(countryIsoCode)) refuse('country_not_supported', 'Country not supported.');
  if (countryIsoCode === 'US' && MILITARY_POST.has(stateCode ?? '')) {
    refuse('not_deliverable', 'Delivery to the destination is not possible; check the recipient address.');
  }
  for (const { product, envelopes } of products) {
    const all = [product, ...envelopes.map((envelope) => envelope.product)];
    const refused = all.find(({ supportedCountries }) => !supportedCountries.includes(countryIsoCode));
    if (refused) {
      refuse('product_not_supported', `Product ${refused.productUid} is not supported for the destination.`);
    }
  }
}
