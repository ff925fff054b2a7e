import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import type { ProductPrice, ProductStock } from '../../print/current/catalog-objects.ts';
import { productPricesRequestSchema, type ProductPricesRequest } from '../../print/current/catalog-v3.ts';
import { requireExtendedCalls, openService } from '../print-service/open-service.ts';
import { requestOnce } from './request-once.ts';

/** A catalog product: the price of each quantity without shipping, and its stock by region. */
export interface ShownCatalogProduct {
  productUid: string;
  /** `price` is for the whole quantity, in `currency`, as the service returns it. */
  prices: {
    quantity: number | null;
    price: string | null;
    currency: string | null;
    country: string | null;
    pageCount: number | null;
  }[];
  stock: { stockRegionUid: string; status: string | null; replenishmentDate: string | null }[];
}

const RULES: Record<string, string> = {
  country: 'must be a two-letter country code, such as US',
  currency: 'must be a currency that the print service accepts, such as USD',
  pageCount: 'must be the number of pages in the product: a whole number of at least 1',
};

/** Parses the query parameters of a price request. Throws InvalidInputError with the field and its rule. */
export function parsePriceRequest(input: Record<string, unknown>): ProductPricesRequest {
  const { country, currency, pageCount } = input;
  const pages =
    pageCount === undefined ? {} : { pageCount: typeof pageCount === 'string' ? Number(pageCount) : Number.NaN };
  const given = { ...(country === undefined ? {} : { country }), ...(currency === undefined ? {} : { currency }) };
  const parsed = productPricesRequestSchema.safeParse({ ...given, ...pages });
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0] ?? 'country');
  throw new InvalidInputError(field, `${field}: ${RULES[field] ?? 'is not valid'}.`);
}

/**
 * Reads a product in the print service's catalog by its UID, with extended calls. The result lacks the product's attributes and countries,
 * which only a search returns. A product with pages needs a page count. Throws the same errors as `openService`, `requireExtendedCalls` and
 * `requestOnce`.
 */
export async function readCatalogProduct(
  app: App,
  shop: Shop,
  { productUid, question }: { productUid: string; question: ProductPricesRequest },
): Promise<ShownCatalogProduct> {
  const { accountId, service } = await openService(app, shop);
  const extended = requireExtendedCalls(service, 'A catalog product');
  const what = `the product ${productUid}`;
  const prices = await requestOnce<ProductPrice[]>(app, {
    accountId,
    call: ['prices', productUid, question],
    what,
    ask: () => extended.getProductPrices(productUid, question),
  });
  const [stock] = await requestOnce<ProductStock[]>(app, {
    accountId,
    call: ['stock', productUid],
    what,
    ask: () => extended.getStockAvailability([productUid]),
  });
  return {
    productUid,
    prices: prices.map(({ quantity, price, currency, country, pageCount }) => ({
      quantity,
      price: price === null ? null : String(price),
      currency,
      country,
      pageCount,
    })),
    stock: (stock?.availability ?? []).map(({ stockRegionUid, status, replenishmentDate }) => ({
      stockRegionUid,
      status,
      replenishmentDate,
    })),
  };
}
