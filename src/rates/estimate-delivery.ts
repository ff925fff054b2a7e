import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { currencySchema } from '../print/current/request-objects.ts';
import type { PortQuoteRequest } from '../print/port.ts';
import { readSettings, type Settings } from '../shops/settings/settings.ts';
import { findActiveAccount } from './find-active-account.ts';
import { offerRates } from './offer-rates.ts';
import { quoteCart } from './quote-cart.ts';
import { splitCart } from './split-cart.ts';
import { SAMPLE_STATES, toRateQuote } from './to-rate-quote.ts';

/** How long to wait for a quote. This is longer than a quote waits for its turn. */
const QUOTE_MS = 5_000;
/** The handle by which a checkout identifies Platen's own fulfillment service. */
const OUR_SERVICE = 'platen';

/** A product page's request for an estimate: one unit of a variant, delivered to the visitor's country. */
export interface EstimateRequest {
  /** The digits of the variant's ID. */
  variant: string;
  /** The variant's SKU, which may have a print link of its own. */
  sku: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/**
 * The first and last day, YYYY-MM-DD, on which an order placed now is expected to arrive, according to the cheapest offer with delivery
 * dates.
 */
export interface Estimate {
  from: string;
  until: string;
}

/** What a quote for a page prices: the printed product and the destination, with the account that is asked. */
export interface PricedUnit {
  accountId: number;
  request: PortQuoteRequest;
  settings: Settings;
  /** The print link, and whether it belongs to the SKU instead of the variant. */
  linkId: string;
  isLinkedBySku: boolean;
}

/**
 * Finds what has to be priced for a page. Returns `none` for a variant that Platen does not print, and null if no quote is currently
 * possible.
 */
export async function findPricedUnit(app: App, shop: Shop, wish: EstimateRequest): Promise<PricedUnit | 'none' | null> {
  const settings = readSettings(shop);
  const service = await findService(app, shop, wish, settings);
  const item = { variant_id: wish.variant, sku: wish.sku, quantity: 1, price: 0, fulfillment_service: service };
  const split = await splitCart(app, shop, [{ ...item, requires_shipping: true }], settings);
  const [printed] = split.printed;
  if (!printed) return 'none';
  const accountId = await findActiveAccount(app, shop);
  const { country } = wish;
  const request = toRateQuote({
    shop,
    destination: { country, province: SAMPLE_STATES[country] ?? null, postal_code: null, city: null },
    printed: split.printed,
    currency: currencySchema.safeParse(shop.currency).data ?? settings.currency,
    postCodePlaceholder: settings.postCodePlaceholder,
    allowMultipleQuotes: settings.allowMultipleQuotes,
  });
  if (accountId === null || request === null) return null;
  const { id: linkId, shopifyVariantId } = printed.link;
  return { accountId, request, settings, linkId, isLinkedBySku: shopifyVariantId === null };
}

/**
 * Estimates when one unit arrives, from a quote of the print service. Returns `none` for a country to which the service does not deliver,
 * and null if no estimate is currently available.
 */
export async function estimateDelivery(
  app: App,
  { accountId, request, settings }: PricedUnit,
): Promise<Estimate | 'none' | null> {
  const quoted = await quoteCart(app, accountId, request, { settings, until: app.clock.ticks() + QUOTE_MS });
  if (quoted === null) return null;
  if (quoted.quotes === 'undeliverable') return 'none';
  const delivery = offerRates(quoted.quotes, { currency: request.currency }).find((offer) => offer.delivery)?.delivery;
  return delivery ? { from: delivery.from, until: delivery.to } : null;
}

/**
 * Returns the fulfillment service at which a variant is stocked, which the product page does not specify. The service matters only for a
 * shop that prints nothing from the merchant's own locations.
 */
async function findService(
  app: App,
  { id }: Shop,
  { variant }: EstimateRequest,
  { printsAtMerchantLocations }: Settings,
): Promise<string | null> {
  if (printsAtMerchantLocations) return null;
  const stocked = await app.db.query<unknown[]>(
    `select 1 from variants_in_store where shop_id = $1 and shopify_variant_id = $2 and stocked_at is not null`,
    [id, `gid://shopify/ProductVariant/${variant}`],
  );
  return stocked.length > 0 ? OUR_SERVICE : null;
}
