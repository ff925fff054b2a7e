import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { currencySchema } from '../print/current/request-objects.ts';
import { readSettings, type Settings } from '../shops/settings/settings.ts';
import { cartValue, isPartOfOrder, type CheckoutCart } from './checkout-cart.ts';
import { findActiveAccount } from './find-active-account.ts';
import { isShippable, offerRates } from './offer-rates.ts';
import {
  addsAmounts,
  priceFromTable,
  priceOwnPart,
  priceRates,
  type PricedCart,
  type Rate,
  type RateTerms,
} from './price-rates.ts';
import { quoteCart } from './quote-cart.ts';
import { splitCart, splitWithoutDatabase, type SplitCart } from './split-cart.ts';
import { toRateQuote } from './to-rate-quote.ts';

/** The source of the rates in a response. With `none`, the cart gets no rates. */
type RateSource = 'cache' | 'quote' | 'fallback' | 'none';

export interface CartRates {
  rates: Rate[];
  source: RateSource;
}

const NONE: CartRates = { rates: [], source: 'none' };

/**
 * Returns the rates for a checkout's cart: the print service's offers with the shop's pricing settings, or otherwise the rates from the
 * shop's fallback table. Returns an empty list if the print service does not deliver to the destination. A cart without printed items also
 * gets no rates, unless it is part of an order and the shop has set a price for that part. Returns null if delivery may be possible but its
 * price is currently unknown. If no quote arrives by `quoteUntil` (a value of app.clock.ticks()), the fallback table is used.
 */
export async function findCartRates(
  app: App,
  shop: Shop,
  cart: CheckoutCart,
  { quoteUntil }: { quoteUntil: number },
): Promise<CartRates | null> {
  const settings = readSettings(shop);
  const [split, accountId] = await Promise.all([
    splitCart(app, shop, cart.items, settings),
    findActiveAccount(app, shop),
  ]);
  const terms: RateTerms = { ...settings, shopCurrency: shop.currency };
  const priced = toPricedCart(cart, split);
  if (priced.printed === 0) return (isPartOfOrder(cart) && fromTable(priceOwnPart(priced, terms))) || NONE;
  const offered = await quoteRates({ app, shop, settings, cart, split, accountId, priced, terms, quoteUntil });
  return offered ?? fromTable(priceFromTable(priced, terms));
}

/** Returns the rates during a database outage, when print links cannot be read. Every item that may be printed counts as printed. */
export function findFallbackRates(shop: Shop, cart: CheckoutCart): CartRates | null {
  const settings = readSettings(shop);
  const priced = toPricedCart(cart, splitWithoutDatabase(cart.items, settings));
  if (priced.printed === 0) return NONE;
  return fromTable(priceFromTable(priced, { ...settings, shopCurrency: shop.currency }));
}

function fromTable(rates: Rate[]): CartRates | null {
  return rates.length > 0 ? { rates, source: 'fallback' } : null;
}

interface RateScope {
  app: App;
  shop: Shop;
  settings: Settings;
  cart: CheckoutCart;
  split: SplitCart;
  accountId: number | null;
  priced: PricedCart;
  terms: RateTerms;
  quoteUntil: number;
}

/** Returns null if the print service has no offers for this cart, or if they cannot be priced. */
async function quoteRates(scope: RateScope): Promise<CartRates | null> {
  const { app, shop, settings, cart, split, accountId, priced, terms } = scope;
  if (accountId === null || split.unlinked > 0) return null;
  const wanted = addsAmounts(priced, terms) ? shop.currency : cart.currency;
  const request = toRateQuote({
    shop,
    destination: cart.destination,
    printed: split.printed,
    // The service quotes in this currency if it supports it. Otherwise, the checkout converts the price, because each rate names its
    // currency.
    currency: currencySchema.safeParse(wanted).data ?? settings.currency,
    postCodePlaceholder: settings.postCodePlaceholder,
    allowMultipleQuotes: settings.allowMultipleQuotes,
  });
  const quoted = request && (await quoteCart(app, accountId, request, { settings, until: scope.quoteUntil }));
  if (!quoted) return null;
  if (quoted.quotes === 'undeliverable' || !isShippable(quoted.quotes)) return NONE;
  const offers = offerRates(quoted.quotes, { byClass: isPartOfOrder(cart), currency: request.currency });
  const rates = priceRates(offers, priced, terms) ?? [];
  return rates.length > 0 ? { rates, source: quoted.source } : null;
}

function toPricedCart(cart: CheckoutCart, { printed, ownStock, unlinked }: SplitCart): PricedCart {
  return {
    country: cart.destination.country.toUpperCase(),
    currency: cart.currency,
    value: cartValue(cart),
    printed: printed.reduce((sum, { quantity }) => sum + quantity, unlinked),
    ownStock,
  };
}
