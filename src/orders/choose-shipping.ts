/** A way to ship, as a quote offers it; prices are decimals in `currency`. */
export interface OfferedMethod {
  shipmentMethodUid: string;
  name: string | null;
  type: string | null;
  price: number | string;
  currency: string;
  isPrivate: boolean | null;
  isBusiness: boolean | null;
}

export type ShippingClass = 'normal' | 'express';

export interface ShippingWish {
  /** What the buyer's shipping line stands for. */
  class: ShippingClass;
  isBusiness: boolean;
}

/** Never chosen by themselves: a pallet and a parcel that the buyer must fetch. */
const NEVER_CHOSEN = new Set(['pallet', 'pick_up']);

export interface ChosenMethod {
  method: OfferedMethod;
  /** The rule that chose it, for the timeline. */
  rule: string;
}

/**
 * Chooses a method for each of the quotes of one print order: the cheapest of the class that the buyer paid for; where one
 * of the quotes lacks an express method, the class is not to be had for the whole and all get their cheapest.
 * null for a quote that offers nothing for this recipient.
 */
export function chooseShipping(
  quotes: readonly (readonly OfferedMethod[])[],
  wish: ShippingWish,
): (ChosenMethod | null)[] {
  const fitting = quotes.map((methods) => methods.filter((method) => fits(method, wish)));
  const express = fitting.map((methods) => cheapest(methods.filter(({ type }) => type === 'express')));
  if (wish.class === 'express' && express.every((method) => method !== null)) {
    return express.map((method) => method && { method, rule: 'cheapest express method' });
  }
  return fitting.map((methods) => {
    const ordinary = cheapest(methods.filter(({ type }) => type !== 'express')) ?? cheapest(methods);
    const rule =
      wish.class === 'express' ? 'cheapest method, since express is not to be had for the whole' : 'cheapest method';
    return ordinary && { method: ordinary, rule };
  });
}

/** The class that a buyer's shipping line stands for: express when its title or code has one of the shop's words. */
export function toShippingClass(
  lines: readonly { title: string; code: string | null }[],
  expressWords: readonly string[],
): ShippingClass {
  const texts = lines.flatMap(({ title, code }) => [title, code ?? '']).map((text) => text.toLowerCase());
  return expressWords.some((word) => texts.some((text) => text.includes(word.toLowerCase()))) ? 'express' : 'normal';
}

function fits(method: OfferedMethod, { isBusiness }: ShippingWish): boolean {
  if (NEVER_CHOSEN.has(method.type ?? '')) return false;
  return (isBusiness ? method.isBusiness : method.isPrivate) !== false;
}

function cheapest(methods: readonly OfferedMethod[]): OfferedMethod | null {
  const [first] = methods.toSorted(
    (a, b) => Number(a.price) - Number(b.price) || a.shipmentMethodUid.localeCompare(b.shipmentMethodUid),
  );
  return first ?? null;
}
