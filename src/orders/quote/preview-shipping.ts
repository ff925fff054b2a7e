import { z } from 'zod';
import type { App } from '../../app.ts';
import { findPrintLinks } from '../../database/find-print-links.ts';
import type { PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import { currencySchema } from '../../print/current/request-objects.ts';
import { parseInput } from '../../products/print-service/parse-input.ts';
import type { CheckoutCart } from '../../rates/checkout-cart.ts';
import { offerRates } from '../../rates/offer-rates.ts';
import { priceFromTable, priceRates, type Rate } from '../../rates/price-rates.ts';
import { toSubunits } from '../../rates/subunits.ts';
import { toRateQuote } from '../../rates/to-rate-quote.ts';
import { parseSettingsChange } from '../../shops/settings/settings-schema.ts';
import { readSettings, type Settings } from '../../shops/settings/settings.ts';
import { decimal, isPlain, PLAIN, plainText } from '../../shops/settings/setting-types.ts';
import { isCountry } from '../../shops/settings/shipping-rules.ts';
import { toAmount } from '../costs/money.ts';
import { chooseShipping } from './choose-shipping.ts';
import { requestSampleQuote } from './request-sample-quote.ts';
import { toListedMethod, type ListedMethod } from './list-method.ts';
import { toShippingPolicy } from './to-shipping-preference.ts';

const MAX_ITEMS = 20;
const text = z.string('must be text').trim().max(100, 'must be at most 100 characters').refine(isPlain, PLAIN);

export const previewSchema = z.strictObject({
  /** Settings that are not saved yet. */
  settings: z.record(z.string(), z.unknown()).default({}),
  country: z
    .string('must be a country code such as DE')
    .trim()
    .toUpperCase()
    .refine(isCountry, 'must be a country code such as DE'),
  province: text.nullable().default(null),
  postCode: text.nullable().default(null),
  /** The title of the shipping line that the buyer chose, which the shop's rules may name. */
  shippingTitle: text.default(''),
  /** The value of the cart after discounts, in the shop's currency. */
  value: decimal.default('0'),
  items: z
    .array(
      z.strictObject({
        variantId: plainText(255).nullable().default(null),
        sku: plainText(255).nullable().default(null),
        quantity: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000, 'must be at most 1000'),
      }),
    )
    .min(1, 'must contain a product')
    .max(MAX_ITEMS, `must have at most ${MAX_ITEMS} products`),
});
export type PreviewInput = z.input<typeof previewSchema>;

/** How a sample order would be shipped, and which rates its checkout would show. The settings may be unsaved. */
export interface ShippingPreview {
  /** One entry per quote. A quote covers the products that one facility prints. */
  quotes: { methods: ListedMethod[] }[];
  /** The rule that chose the methods, such as "rule 'Express'" or "cheapest method". */
  rule: string;
  passedOver: { rule: string; why: string }[];
  /** Why no method was chosen, or null. */
  lack: string | null;
  /** The checkout's rates with the shop's markup, rounding, names and free shipping. */
  rates: PreviewedRate[];
  /** The rates that a checkout shows if the print service does not return prices in time. */
  fallbackRates: PreviewedRate[];
}

interface PreviewedRate {
  name: string;
  price: string;
  currency: string;
  from: string | null;
  to: string | null;
}

/**
 * Quotes a sample order and applies the given settings to the quote. The quote is free, creates nothing and contains no person's data.
 * Throws an InvalidInputError that names the field, NotPossibleError without a print account, and UnavailableError.
 */
export async function previewShipping(app: App, shop: Shop, input: Record<string, unknown>): Promise<ShippingPreview> {
  const sample = await parseInput(previewSchema, input);
  const settings = toSettings(shop, sample.settings);
  const printed = await findPrintedItems(app, shop, sample.items);
  const destination: CheckoutCart['destination'] = {
    country: sample.country,
    province: sample.province || null,
    postal_code: sample.postCode || null,
    city: null,
  };
  // Like a checkout, the sample is quoted in the shop's currency if the print service supports it.
  const currency = currencySchema.safeParse(shop.currency).data ?? settings.currency;
  const request = toRateQuote({ ...settings, currency, shop, destination, printed });
  if (request === null)
    throw new InvalidInputError('province', 'province: must be a state or province code in this country, such as CA.');
  const quotes = await requestSampleQuote(app, shop, settings, request);
  const choice = chooseShipping(
    quotes.map(({ shipmentMethods }) => shipmentMethods),
    {
      shippingLines: sample.shippingTitle === '' ? [] : [{ title: sample.shippingTitle, code: null }],
      country: sample.country,
      isBusiness: false,
      products: printed.map(({ link: { sku, productUid } }) => ({ sku, productUid, tags: [] })),
      settled: null,
    },
    toShippingPolicy(settings, shop, app.clock.now()),
  );
  const value = toSubunits(sample.value, shop.currency);
  if (value === null) throw new InvalidInputError('value', `value: must be an amount in ${shop.currency}, such as 40.`);
  const cart = {
    country: sample.country,
    currency: shop.currency,
    value,
    printed: printed.reduce((sum, { quantity }) => sum + quantity, 0),
    ownStock: 0,
  };
  const terms = { ...settings, shopCurrency: shop.currency };
  return {
    quotes: quotes.map(({ shipmentMethods }, index) => ({
      methods: shipmentMethods.map((method) => toListedMethod(method, method === choice.methods[index])),
    })),
    rule: choice.way.rule,
    passedOver: choice.passedOver.map(({ rule, why }) => ({ rule, why })),
    lack: choice.lack,
    rates: (priceRates(offerRates(quotes, { currency: request.currency }), cart, terms) ?? []).map(toPreviewedRate),
    fallbackRates: priceFromTable(cart, terms).map(toPreviewedRate),
  };
}

function toSettings(shop: Shop, given: Record<string, unknown>): Settings {
  const { printKey: _, printWebhookHeader: __, takesOrdersFrom: ___, ...change } = parseSettingsChange(given);
  return readSettings({ ...shop, settings: { ...shop.settings, ...change } });
}

type Sample = z.output<typeof previewSchema>;

async function findPrintedItems(
  app: App,
  shop: Shop,
  items: Sample['items'],
): Promise<{ link: PrintLink; quantity: number }[]> {
  const variants = items.map(({ variantId, sku }, index) => ({ id: variantId ?? `sample:${index}`, sku }));
  const links = await findPrintLinks(app.db.manager, shop, variants);
  return items.map(({ quantity }, index) => {
    const link = links.get(variants[index]?.id ?? '');
    if (!link) throw new InvalidInputError(`items.${index}`, `items.${index}: this product has no print link.`);
    return { link, quantity };
  });
}

function toPreviewedRate(rate: Rate): PreviewedRate {
  const [from, to] = [rate.min_delivery_date, rate.max_delivery_date].map((date) => date?.slice(0, 10) ?? null);
  const price = toAmount(BigInt(rate.total_price), rate.currency);
  return { name: rate.service_name, price, currency: rate.currency, from: from ?? null, to: to ?? null };
}
