import type { PortMethod } from '../../print/port.ts';
import { CHEAPEST_CLASS, classOf, parseRateCode } from '../../rates/rate-code.ts';
import type { ShippingRule } from '../../shops/settings/shipping-rules.ts';
import { findMismatch } from './match-shipping-rule.ts';
import type { MethodChoice } from '../facts/shipping-method-rule.ts';
import { type PickTerms, pickMethod } from './pick-method.ts';
import type { ShippingMethodRule, ShippingPreference } from '../facts/shipping-method-rule.ts';

export interface ShippingPolicy extends Pick<PickTerms, 'currency' | 'today'> {
  rules: readonly ShippingRule[];
}

export interface ShippingChoice {
  /** One method per quote, or null for a quote that offers no method for this recipient. */
  methods: (PortMethod | null)[];
  /** The rule that chose the methods. */
  way: ShippingMethodRule;
  /**
   * Rules that were tried first but led to no method, because they do not apply to this order or because the service does not offer the
   * methods that they require.
   */
  passedOver: { rule: string; why: string; applies: boolean }[];
  /** Why a quote has no method. */
  lack: string | null;
  /** The rate that the buyer paid for, if the service no longer offers it. No other method replaces it automatically. */
  lostRate: LostRate | null;
}

/** One of Platen's checkout rates, as shown to the buyer and as recorded in the shipping line. */
interface LostRate {
  title: string;
  type: string;
  code: string;
}

const CHEAPEST: ShippingMethodRule = { rule: 'cheapest method', choices: [] };

const EXPRESS: ShippingMethodRule = { rule: 'cheapest express method', choices: [{ types: ['express'] }] };

/**
 * Chooses a method for each of a print order's quotes. Uses the first of these rules that finds a method for every quote: the rule that an
 * earlier quote of the order used, the Platen rate that the buyer chose at checkout, the shop's rules that apply, express if the shipping
 * line requests it, or the cheapest method. If the buyer chose a Platen rate, only that rate or a rule that names its title or code can
 * choose the method. If a person chose the method, only that method is used.
 */
export function chooseShipping(
  quotes: readonly (readonly PortMethod[])[],
  wish: ShippingPreference,
  policy: ShippingPolicy,
): ShippingChoice {
  const terms = { isBusiness: wish.isBusiness, currency: policy.currency, today: policy.today };
  const passedOver: ShippingChoice['passedOver'] = [];
  for (const { way, mismatch } of listMethodRules(wish, policy, quotes)) {
    if (way.choices.length === 0) break;
    const found = mismatch === null ? tryMethodRule(quotes, way, terms) : { lack: mismatch };
    if ('methods' in found) return { ...found, way, passedOver, lack: null, lostRate: null };
    if (way.byHand !== undefined)
      return { methods: quotes.map(() => null), way, passedOver, lack: found.lack, lostRate: null };
    passedOver.push({ rule: way.rule, why: found.lack, applies: mismatch === null });
  }
  const [lostRate] = parseChosenRates(wish).map(({ title, code, type }) => ({ title, code, type }));
  const missed = passedOver[wish.settled ? 1 : 0];
  if (lostRate && missed) {
    return { methods: quotes.map(() => null), way: CHEAPEST, passedOver, lack: missed.why, lostRate };
  }
  const found = quotes.map((methods) => pickCheapest(methods, terms));
  const methods = found.map((one) => ('method' in one ? one.method : null));
  const lack = found.flatMap((one) => ('lack' in one ? [one.lack] : []))[0] ?? null;
  return { methods, way: CHEAPEST, passedOver, lack, lostRate: null };
}

interface ChosenRate extends LostRate {
  uid: string | null;
}

function parseChosenRates({ shippingLines }: Pick<ShippingPreference, 'shippingLines'>): ChosenRate[] {
  return shippingLines.flatMap(({ title, code }) => {
    const rate = parseRateCode(code);
    return rate === null || code === null ? [] : [{ ...rate, title, code }];
  });
}

/** Yields the rules to try before the cheapest method, in order. `mismatch` states why a rule does not apply to this order. */
function* listMethodRules(
  wish: ShippingPreference,
  policy: ShippingPolicy,
  quotes: readonly (readonly PortMethod[])[],
): Generator<{ way: ShippingMethodRule; mismatch: string | null }> {
  if (wish.settled) yield { way: wish.settled, mismatch: null };
  const rates = parseChosenRates(wish);
  for (const rate of rates) yield { way: toRateMethodRule(rate, quotes.flat()), mismatch: null };
  for (const { name, when, choose } of policy.rules) {
    const mismatch = rates.length > 0 ? findRateMismatch(when, wish, rates) : findMismatch(when, wish);
    yield { way: { rule: `rule '${name}'`, choices: [choose] }, mismatch };
  }
  if (rates.length === 0 && requestsExpress(wish.shippingLines)) yield { way: EXPRESS, mismatch: null };
}

/**
 * Returns a rule that chooses the rate's method or, as a fallback, its class. If only some facilities offer the method, the class applies
 * to all.
 */
function toRateMethodRule({ type, uid }: ChosenRate, offered: readonly PortMethod[]): ShippingMethodRule {
  const method = uid ?? type;
  const rule = `checkout rate '${method}'`;
  if (type === CHEAPEST_CLASS) return { rule, choices: [{ by: 'cheapest', onlyParcels: true }] };
  const named = uid === null ? offered.find(({ shipmentMethodUid }) => shipmentMethodUid === type) : undefined;
  const choices: MethodChoice[] = [
    { methodUids: [method], onlyParcels: true },
    { types: [named ? classOf(named) : type], onlyParcels: true },
  ];
  return { rule, choices };
}

/**
 * Returns why a rule does not replace a rate that the buyer paid for. To replace the rate, the rule must name the title or code of its
 * shipping line.
 */
function findRateMismatch(
  when: ShippingRule['when'],
  wish: ShippingPreference,
  rates: readonly ChosenRate[],
): string | null {
  if (when?.title === undefined && when?.code === undefined)
    return 'it does not name the title or the code of the rate that the buyer chose';
  return findMismatch(when, { ...wish, shippingLines: rates });
}

function tryMethodRule(
  quotes: readonly (readonly PortMethod[])[],
  { choices }: ShippingMethodRule,
  terms: PickTerms,
): { methods: PortMethod[] } | { lack: string } {
  let lack = '';
  for (const choice of choices) {
    const picked = quotes.map((methods) => pickMethod(methods, choice, terms));
    const methods = picked.flatMap((one) => ('method' in one ? [one.method] : []));
    if (methods.length === quotes.length) return { methods };
    lack = picked.flatMap((one) => ('lack' in one ? [one.lack] : []))[0] ?? '';
  }
  return { lack: quotes.length > 1 ? `${lack} for one of the ${quotes.length} quotes` : lack };
}

/** A buyer who did not request express shipping gets it only if nothing else is offered. */
function pickCheapest(methods: readonly PortMethod[], terms: PickTerms): ReturnType<typeof pickMethod> {
  const isOrdinary = (method: PortMethod): boolean =>
    method.type !== 'express' && 'method' in pickMethod([method], {}, terms);
  return pickMethod(methods.some(isOrdinary) ? methods.filter(isOrdinary) : methods, {}, terms);
}

/** Returns whether a shipping line contains the word "express". The shop's rules must match other names for express shipping. */
function requestsExpress(lines: ShippingPreference['shippingLines']): boolean {
  return lines.some(({ title, code }) => /express/i.test(`${title} ${code ?? ''}`));
}
