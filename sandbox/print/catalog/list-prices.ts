import { productPricesRequestSchema } from '../../../src/print/current/catalog-v3.ts';
import { Refusal } from '../../refusal.ts';
import { fromDollars } from '../money.ts';
import { parseRequest } from '../parse-request.ts';
import { productOf } from './find-product.ts';

/** The price of a quantity of a product. `price` is the total for all pieces. */
interface QuantityPrice {
  productUid: string;
  country: string;
  quantity: number;
  price: number;
  currency: string;
  pageCount: number | null;
}

/** Volume discounts. From each quantity upward, a piece costs this share of the single-piece price. */
const STEPS: readonly (readonly [quantity: number, share: number])[] = [
  [1, 1],
  [5, 0.97],
  [10, 0.94],
  [20, 0.9],
  [50, 0.85],
  [100, 0.8],
  [250, 0.74],
  [500, 0.68],
  [1000, 0.62],
];

/**
 * Serves `GET /v3/products/{productUid}/prices`. Prices exclude shipping. Country and currency default to US and USD. Throws a `Refusal`:
 * 404 for an unknown product or a country that the product does not ship to, 400 for a multi-page product without a page count.
 */
export function listPrices(productUid: string, query: Readonly<Record<string, unknown>>): QuantityPrice[] {
  const product = productOf(productUid);
  const request = parseRequest(productPricesRequestSchema, {
    ...query,
    ...(query['pageCount'] === undefined ? {} : { pageCount: Number(query['pageCount']) }),
  });
  const { country = 'US', currency = 'USD' } = request;
  if (!product.supportedCountries.includes(country)) {
    throw new Refusal(404, 'prices_not_found', `Prices of product ${productUid} for country ${country} not found.`);
  }
  if (product.multiPage && request.pageCount === undefined) {
    const message = 'A multi-page product needs a page count.';
    const detail = { message, reference: 'pageCount', code: 'page_count_required' };
    throw new Refusal(400, 'invalid_request', `pageCount: ${message}`, [detail]);
  }
  const pageCount = product.multiPage ? (request.pageCount ?? null) : null;
  const single = product.price + product.pricePerPage * (pageCount ?? 0);
  return STEPS.map(([quantity, share]) => {
    const price = fromDollars(single * quantity * share, currency);
    return { productUid, country, quantity, price, currency, pageCount };
  });
}
