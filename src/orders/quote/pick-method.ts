import type { PortMethod } from '../../print/port.ts';
import { parseDeliveryDays } from '../../print/parse-day.ts';
import { classOf } from '../../rates/rate-code.ts';
import { comparePrices, isPrice } from './compare-prices.ts';
import type { MethodChoice } from '../facts/shipping-method-rule.ts';

export interface PickTerms {
  isBusiness: boolean;
  /** The currency in which the quote was requested. */
  currency: string;
  /** Today's date, YYYY-MM-DD. */
  today: string;
}

interface Condition {
  isMet: (method: PortMethod) => boolean;
  /** Reported if no method meets the condition. */
  lack: string;
}

/** Types that are chosen only if a choice names the type or the method's UID: pallets, and parcels that the buyer must pick up. */
const ON_REQUEST = new Set(['pallet', 'pick_up']);

const DAY_MS = 86_400_000;

/**
 * Picks the quote's best method that meets the conditions, or returns the condition that no method meets. Prices in different currencies
 * are not compared. If the quote contains several currencies, only prices in the requested currency count.
 */
export function pickMethod(
  methods: readonly PortMethod[],
  choice: MethodChoice,
  terms: PickTerms,
): { method: PortMethod } | { lack: string } {
  if (methods.length === 0) return { lack: 'nothing is offered' };
  let left = methods;
  for (const { isMet, lack } of toConditions(choice, terms)) {
    left = left.filter(isMet);
    if (left.length === 0) return { lack };
  }
  left = left.filter(({ price, currency }) => isPrice(price) && currency !== '');
  if (left.length === 0) return { lack: 'none of these methods has a price' };
  const [method] = toComparable(left, terms.currency).toSorted(choice.by === 'fastest' ? byDate : byPrice);
  if (method) return { method };
  const currencies = [...new Set(left.map(({ currency }) => currency))].toSorted(compareStrings).join(', ');
  return { lack: `its prices cannot be compared (${currencies})` };
}

function toConditions(choice: MethodChoice, { isBusiness, today }: PickTerms): Condition[] {
  const { methodUids, types, days, date, incoTerms, mostParcels, by, onlyParcels } = choice;
  const isNamed = (method: PortMethod): boolean =>
    !onlyParcels && (types?.includes(classOf(method)) || methodUids?.includes(method.shipmentMethodUid) || false);
  const conditions: Condition[] = [];
  const add = (isMet: Condition['isMet'], lack: string): void => void conditions.push({ isMet, lack });
  if (methodUids) {
    add((method) => methodUids.includes(method.shipmentMethodUid), `no method ${joinNames(methodUids)} is offered`);
  }
  if (types) add((method) => types.includes(classOf(method)), `no method of type ${joinNames(types)} is offered`);
  add((method) => !ON_REQUEST.has(classOf(method)) || isNamed(method), 'only a pallet or pickup is offered');
  add(
    (method) => (isBusiness ? method.isBusiness : method.isPrivate) !== false,
    `none of these methods delivers to a ${isBusiness ? 'business' : 'private'} address`,
  );
  if (incoTerms) {
    const upper = incoTerms.map((term) => term.toUpperCase());
    add(
      (one) => upper.includes(one.incoTerms?.toUpperCase() ?? ''),
      `nothing is offered under ${joinNames(incoTerms)}`,
    );
  }
  if (mostParcels !== undefined) {
    const lack = `nothing is offered in at most ${mostParcels} ${mostParcels === 1 ? 'parcel' : 'parcels'}`;
    add((method) => method.numberOfParcels !== null && method.numberOfParcels <= mostParcels, lack);
  }
  if (by === 'fastest') add((method) => dateOf(method) !== null, 'no method has a delivery date');
  if (days !== undefined) {
    add(arrivesBy(addDays(today, days)), `nothing arrives within ${days} ${days === 1 ? 'day' : 'days'}`);
  }
  if (date !== undefined) add(arrivesBy(date), `nothing arrives by ${date}`);
  return conditions;
}

function joinNames(names: readonly string[]): string {
  return names.join(' or ');
}

function dateOf(method: PortMethod): string | null {
  return parseDeliveryDays(method).to;
}

function arrivesBy(day: string): Condition['isMet'] {
  return (method) => {
    const date = dateOf(method);
    return date !== null && date <= day;
  };
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function toComparable(methods: readonly PortMethod[], currency: string): readonly PortMethod[] {
  if (new Set(methods.map((method) => method.currency)).size <= 1) return methods;
  return methods.filter((method) => method.currency === currency);
}

function byPrice(a: PortMethod, b: PortMethod): number {
  return comparePrices(a.price, b.price) || compareStrings(a.shipmentMethodUid, b.shipmentMethodUid);
}

function byDate(a: PortMethod, b: PortMethod): number {
  return compareStrings(dateOf(a) ?? '', dateOf(b) ?? '') || byPrice(a, b);
}

/** Compares by code units, so that the order is the same on every system. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
