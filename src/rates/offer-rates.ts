import type { PortMethod, PortQuote } from '../print/port.ts';
import { parseDeliveryDays } from '../print/parse-day.ts';
import { toPlainText } from './to-plain-text.ts';
import { CHEAPEST_CLASS, classOf, toRateCode } from './rate-code.ts';
import { isCurrency, toSubunits } from './subunits.ts';

/** A shipping option offered at checkout, with its price in subunits of its currency. */
export interface Offer {
  /** The interface's method type, such as `express`. */
  type: string;
  serviceCode: string;
  description: string;
  subunits: bigint;
  currency: string;
  /** Two dates, YYYY-MM-DD. Null unless both are known. */
  delivery: { from: string; to: string } | null;
}

type Method = Pick<
  PortMethod,
  'shipmentMethodUid' | 'name' | 'type' | 'price' | 'currency' | 'minDeliveryDate' | 'maxDeliveryDate' | 'isPrivate'
>;
export type QuotedMethods = readonly { shipmentMethods: readonly Method[] }[];

/** The longest name or code that a checkout accepts (docs/rules/shopify.md#rate-response). */
export const MAX_NAME_LENGTH = 255;
/** Types of methods that do not deliver a parcel to the buyer's door. */
const NEVER_OFFERED = new Set(['pallet', 'pick_up']);

/**
 * Creates one offer for each method class that all quotes have in common, cheapest first. The price is the sum of each quote's cheapest
 * method in the class (docs/rules/print-interface.md#several-quotes). If the quotes have no class in common, one offer combines each
 * quote's cheapest method. Prices are compared and added only within one currency: `currency` if offers in it are possible, and otherwise
 * another currency of the quotes. For a single quote, an offer's code names the class and the method. For several quotes or with `byClass`,
 * it names only the class. Methods with a field that no checkout accepts are left out.
 */
export function offerRates(
  quotes: QuotedMethods,
  { byClass = false, currency: asked = '' }: { byClass?: boolean; currency?: string } = {},
): Offer[] {
  const fitting = quotes.map(({ shipmentMethods }) => shipmentMethods.filter(isOffered).filter(isUsableMethod));
  const currencies = fitting[0]?.map(({ currency }) => currency) ?? [];
  const inOrder = [...new Set(currencies.includes(asked) ? [asked, ...currencies] : currencies)];
  for (const currency of inOrder) {
    const alike = fitting.map((methods) => methods.filter((method) => method.currency === currency));
    const offers = offerInCurrency(alike, byClass);
    if (offers.length > 0) return offers;
  }
  return [];
}

/** Reduces quotes to the fields that offers need. */
export function toQuotedMethods(quotes: readonly PortQuote[]): QuotedMethods {
  return quotes.map(({ shipmentMethods }) => ({ shipmentMethods }));
}

/** Returns whether every quote has a method that delivers to the buyer's door. Otherwise, the order would be held. */
export function isShippable(quotes: QuotedMethods): boolean {
  return quotes.every(({ shipmentMethods }) => shipmentMethods.some(isOffered));
}

function isOffered({ type, isPrivate }: Method): boolean {
  return !NEVER_OFFERED.has(type ?? '') && isPrivate !== false;
}

function isUsableMethod(method: Method): boolean {
  const type = classOf(method);
  return (
    isCurrency(method.currency) &&
    toSubunits(method.price, method.currency) !== null &&
    !type.includes(':') &&
    toRateCode(type, method.shipmentMethodUid).length <= MAX_NAME_LENGTH
  );
}

/** Returns the offers from the methods in one currency. */
function offerInCurrency(quotes: readonly Method[][], byClass: boolean): Offer[] {
  const classes = [...new Set(quotes[0]?.map(classOf))]
    .map((type) => offerClass(type, quotes, byClass))
    .filter((offer) => offer !== null);
  const offers = classes.length > 0 ? classes : [combineMethods('normal', toRateCode(CHEAPEST_CLASS), quotes)];
  return offers
    .filter((offer) => offer !== null)
    .toSorted((one, other) => compareSums(one.subunits, other.subunits) || (one.type < other.type ? -1 : 1));
}

function offerClass(type: string, quotes: readonly Method[][], byClass: boolean): Offer | null {
  const ofClass = quotes.map((methods) => methods.filter((method) => classOf(method) === type));
  const uid = byClass || ofClass.length > 1 ? undefined : findCheapest(ofClass[0] ?? [])?.method.shipmentMethodUid;
  return combineMethods(type, toRateCode(type, uid), ofClass);
}

function combineMethods(type: string, serviceCode: string, quotes: readonly Method[][]): Offer | null {
  const chosen = quotes.map(findCheapest);
  const [first] = chosen;
  if (!first || !chosen.every((one) => one !== null)) return null;
  return {
    type,
    serviceCode,
    description:
      chosen.length === 1 ? (toPlainText(first.method.name, MAX_NAME_LENGTH) ?? type) : `In ${chosen.length} parcels`,
    subunits: chosen.reduce((sum, { subunits }) => sum + subunits, 0n),
    currency: first.method.currency,
    delivery: toDelivery(chosen.map(({ method }) => method)),
  };
}

function findCheapest(methods: readonly Method[]): { method: Method; subunits: bigint } | null {
  const priced = methods.flatMap((method) => {
    const subunits = toSubunits(method.price, method.currency);
    return subunits === null ? [] : [{ method, subunits }];
  });
  const [first] = priced.toSorted(
    (one, other) =>
      compareSums(one.subunits, other.subunits) ||
      (one.method.shipmentMethodUid < other.method.shipmentMethodUid ? -1 : 1),
  );
  return first ?? null;
}

/** Returns the first and last day on which the last parcel may arrive. Returns null if a method lacks delivery dates. */
function toDelivery(methods: readonly Method[]): Offer['delivery'] {
  const days = methods.map(parseDeliveryDays);
  const from = days.flatMap((day) => day.from ?? []).toSorted();
  const to = days.flatMap((day) => day.to ?? []).toSorted();
  if (from.length < methods.length || to.length < methods.length) return null;
  return { from: from.at(-1) ?? '', to: to.at(-1) ?? '' };
}

function compareSums(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
