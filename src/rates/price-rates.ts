import type { Settings } from '../shops/settings/settings.ts';
import { toPlainText } from './to-plain-text.ts';
import { MAX_NAME_LENGTH, type Offer } from './offer-rates.ts';
import { toRateCode } from './rate-code.ts';
import { oneUnit, smallestPayable, roundUp, toSubunits } from './subunits.ts';

/** A rate in the form that the checkout expects (docs/rules/shopify.md#rate-response). */
export interface Rate {
  service_name: string;
  service_code: string;
  description: string;
  currency: string;
  total_price: string;
  min_delivery_date?: string;
  max_delivery_date?: string;
}

/** The facts about a cart that determine its price, in addition to the print service's offers. `value` is in subunits of `currency`. */
export interface PricedCart {
  country: string;
  currency: string;
  value: bigint;
  /** Number of units to print. `ownStock` is the number of units that the merchant ships. */
  printed: number;
  ownStock: number;
}

/** The shop's pricing settings. All amounts are in `shopCurrency`. */
export type RateTerms = Pick<
  Settings,
  'rateMargin' | 'rateRounding' | 'ratesFreeFrom' | 'rateNames' | 'ownStockRates' | 'fallbackRates'
> & { shopCurrency: string };

/** The names that buyers see unless the shop sets its own. */
const NAMES: Readonly<Record<string, string>> = {
  normal: 'Economy shipping',
  standard: 'Standard shipping',
  express: 'Express shipping',
};
const FALLBACK_DESCRIPTION = 'Printed to order';
const OWN_DESCRIPTION = 'From our own stock';
/** 100% with the four decimals that the setting allows. */
const HUNDRED_PERCENT = 1_000_000n;

/**
 * Turns the print service's offers into rates. Adds the shop's margin and the price for the merchant's own stock in the cart, and rounds
 * up. Makes the first (cheapest) rate free if the shop's settings require it. Returns null if a price is unknown or if amounts in two
 * currencies would have to be added.
 */
export function priceRates(offers: readonly Offer[], cart: PricedCart, terms: RateTerms): Rate[] | null {
  const ownStock = priceOwnStock(cart, terms);
  if (ownStock === null) return null;
  const added = ownStock + (toSubunits(terms.rateMargin?.amount ?? '0', terms.shopCurrency) ?? 0n);
  if (offers.some(({ currency }) => added > 0n && currency !== terms.shopCurrency)) return null;
  const rates = offers.map((offer): Rate => {
    const total = roundTotal(addPercent(offer.subunits, terms.rateMargin?.percent) + added, offer.currency, terms);
    return {
      service_name: nameOf(offer.type, terms),
      service_code: offer.serviceCode,
      description: offer.description,
      currency: offer.currency,
      total_price: String(total),
      ...(offer.delivery && {
        min_delivery_date: toShopifyDate(offer.delivery.from),
        max_delivery_date: toShopifyDate(offer.delivery.to),
      }),
    };
  });
  return withFreeRate(rates, cart, terms);
}

/**
 * Returns the rates from the shop's fallback table for the cart's country: the first row of each type. Returns an empty list if no row
 * matches.
 */
export function priceFromTable(cart: PricedCart, terms: RateTerms): Rate[] {
  const ownStock = priceOwnStock(cart, terms);
  // Own stock for which the shop has set no price is charged like printed units.
  const pieces = cart.printed + (ownStock === null ? cart.ownStock : 0);
  const rows = terms.fallbackRates.filter((row) => appliesTo(row, cart.country));
  const rates = new Map<string, Rate>();
  for (const row of rows) {
    const { type = 'normal' } = row;
    if (rates.has(type)) continue;
    rates.set(type, {
      service_name: row.name,
      service_code: toRateCode(type),
      description: FALLBACK_DESCRIPTION,
      currency: terms.shopCurrency,
      total_price: String(priceRow(row, pieces, terms) + (ownStock ?? 0n)),
    });
  }
  const byPrice = [...rates.values()].toSorted((one, other) => Number(one.total_price) - Number(other.total_price));
  return withFreeRate(byPrice, cart, terms);
}

/**
 * Returns the rate, from the shop's own-stock prices, for the part of an order that the merchant ships. The rate has the code and name of
 * the class `normal`, so that the checkout can add it to the printed part's rate. The list is empty unless a row is marked `alone`, because
 * the merchant's other rates may already cover this part.
 */
export function priceOwnPart(cart: PricedCart, terms: RateTerms): Rate[] {
  const row = terms.ownStockRates.find(({ countries, alone }) => alone && appliesTo({ countries }, cart.country));
  if (!row || cart.ownStock === 0) return [];
  const price = priceRow(row, cart.ownStock, terms);
  const rate = {
    service_name: nameOf('normal', terms),
    service_code: toRateCode('normal'),
    description: OWN_DESCRIPTION,
    currency: terms.shopCurrency,
    total_price: String(price),
  };
  return withFreeRate([rate], cart, terms);
}

/** Returns whether the price of this cart includes amounts from the shop's settings. The quote must then be in the shop's currency. */
export function addsAmounts({ ownStock }: Pick<PricedCart, 'ownStock'>, { rateMargin }: RateTerms): boolean {
  return ownStock > 0 || Number(rateMargin?.amount ?? 0) > 0;
}

/** Returns null if the cart has own stock without a price. */
function priceOwnStock({ country, ownStock }: PricedCart, terms: RateTerms): bigint | null {
  if (ownStock === 0) return 0n;
  const row = terms.ownStockRates.find((one) => appliesTo(one, country));
  return row ? priceRow(row, ownStock, terms) : null;
}

interface PriceRow {
  amount: string;
  perItem?: string | undefined;
}

function priceRow({ amount, perItem = '0' }: PriceRow, pieces: number, { shopCurrency }: RateTerms): bigint {
  const [order, piece] = [toSubunits(amount, shopCurrency) ?? 0n, toSubunits(perItem, shopCurrency) ?? 0n];
  return order + piece * BigInt(pieces);
}

function appliesTo({ countries }: { countries: readonly string[] }, country: string): boolean {
  return countries.includes(country) || countries.includes('*');
}

function addPercent(subunits: bigint, percent: string | undefined): bigint {
  if (percent === undefined) return subunits;
  const [whole = '0', fraction = ''] = percent.split('.');
  const share = BigInt(whole + fraction.padEnd(4, '0'));
  return (subunits * (HUNDRED_PERCENT + share) + HUNDRED_PERCENT - 1n) / HUNDRED_PERCENT;
}

function roundTotal(total: bigint, currency: string, { rateRounding: rounding }: RateTerms): bigint {
  const smallest = smallestPayable(currency);
  if (rounding === null) return roundUp(total, smallest);
  if ('to' in rounding) return roundUp(roundUp(total, toSubunits(rounding.to, currency) ?? 1n), smallest);
  const unit = oneUnit(currency);
  const ending = (toSubunits(rounding.ending, currency) ?? 0n) % unit;
  return roundUp(total - ending, unit) + ending;
}

/** Makes the first rate free if the cart reaches the shop's minimum value. A cart in another currency is never compared with that value. */
function withFreeRate(rates: Rate[], { value, currency }: PricedCart, terms: RateTerms): Rate[] {
  const from = terms.ratesFreeFrom === null ? null : toSubunits(terms.ratesFreeFrom, terms.shopCurrency);
  if (from === null || currency !== terms.shopCurrency || value < from) return rates;
  return rates.map((rate, index) => (index === 0 ? { ...rate, total_price: '0' } : rate));
}

function nameOf(type: string, { rateNames }: RateTerms): string {
  const given: Readonly<Record<string, string | undefined>> = rateNames;
  const other = type.replaceAll('_', ' ');
  const name = given[type] ?? NAMES[type] ?? `${other.charAt(0).toUpperCase()}${other.slice(1)} shipping`;
  return toPlainText(name, MAX_NAME_LENGTH) ?? type;
}

/** Uses noon UTC, so that no checkout's time zone changes the date. */
function toShopifyDate(day: string): string {
  return `${day} 12:00:00 +0000`;
}
