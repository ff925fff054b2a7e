import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseShipping } from '../../../src/orders/quote/choose-shipping.ts';
import type { PortMethod } from '../../../src/print/port.ts';
import { toRateCode } from '../../../src/rates/rate-code.ts';
import type { ShippingRule } from '../../../src/shops/settings/shipping-rules.ts';
import { offered, POLICY, WISH } from './offered.ts';

const UIDS = ['a', 'b', 'c', 'd'];
const TYPES = ['normal', 'standard', 'express', 'pallet', 'pick_up', 'drone'];
const DAYS = ['2026-11-22', '2026-11-25', '2026-12-01'];
const TERMS = ['DDP', 'DAP'];
const TODAY = '2026-11-21';

const methods = fc.array(
  fc
    .record({
      uid: fc.constantFrom(...UIDS),
      type: fc.constantFrom(...TYPES),
      cents: fc.integer({ min: 0, max: 12 }),
      isText: fc.boolean(),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
      maxDeliveryDate: fc.constantFrom(...DAYS, ...DAYS, null, '25/11/2026'),
      isPrivate: fc.constantFrom(true, true, null, false),
      isBusiness: fc.constantFrom(true, true, null, false),
      incoTerms: fc.constantFrom(...TERMS, null),
      numberOfParcels: fc.constantFrom(1, 2, 3, null),
    })
    .map(({ uid, type, cents, isText, ...change }) =>
      offered(uid, type, isText ? (cents / 100).toFixed(2) : cents / 100, change),
    ),
  { minLength: 1, maxLength: 7 },
);
const some = (values: string[]) => fc.subarray(values, { minLength: 1, maxLength: 2 });
const by = fc.record({ by: fc.constantFrom('cheapest' as const, 'fastest' as const) });
/** Generates rules with one to three conditions, because real rules rarely have more. */
const asked: fc.Arbitrary<ShippingRule['choose']> = fc.oneof(
  fc.record({ methodUids: some(UIDS) }),
  fc.record({ types: some(TYPES) }),
  fc.record({ days: fc.constantFrom(1, 4, 10) }),
  fc.record({ date: fc.constantFrom(TODAY, ...DAYS) }),
  fc.record({ incoTerms: some(TERMS) }),
  fc.record({ mostParcels: fc.constantFrom(1, 2) }),
  by,
);
const choice = fc
  .tuple(asked, fc.option(asked, { nil: {} }), fc.option(by, { nil: {} }))
  .map(([one, other, third]): ShippingRule['choose'] => ({ ...one, ...other, ...third }));
const rules = fc
  .array(
    fc.record({
      countries: fc.constantFrom('US', 'NO', null),
      title: fc.constantFrom(null, null, null, 'Live', 'Standard'),
      choose: choice,
    }),
    { maxLength: 4 },
  )
  .map((list) =>
    list.map(({ countries, title, choose }, index): ShippingRule => ({
      name: String(index),
      choose,
      when: { ...(countries !== null && { countries: [countries] }), ...(title !== null && { title }) },
    })),
  );
const shippingLine = fc.constantFrom(
  { title: 'Standard', code: 'Standard' },
  { title: 'Express', code: null },
  ...['a', 'b', 'express', 'standard', 'gone', 'cheapest'].map((way) => ({ title: 'Live', code: toRateCode(way) })),
  ...['a', 'gone'].map((uid) => ({ title: 'Live', code: toRateCode('express', uid) })),
);

const isRated = ({ code }: { code: string | null }): boolean => code?.startsWith('platen:') ?? false;

const IN_DAYS: Record<number, string> = { 1: '2026-11-22', 4: '2026-11-25', 10: '2026-12-01' };

/** Returns whether a method may be chosen and meets the rule. Checks each condition independently of the code. */
function meets(one: PortMethod, asked: ShippingRule['choose'], isBusiness: boolean): boolean {
  const { methodUids, types, days, date, incoTerms, mostParcels, by } = asked;
  const isNamed = types?.includes(one.type ?? '') || methodUids?.includes(one.shipmentMethodUid);
  if ((one.type === 'pallet' || one.type === 'pick_up') && !isNamed) return false;
  if ((isBusiness ? one.isBusiness : one.isPrivate) === false) return false;
  const day = DAYS.find((known) => known === one.maxDeliveryDate);
  if ((by === 'fastest' || days !== undefined || date !== undefined) && day === undefined) return false;
  if (date !== undefined && day !== undefined && day > date) return false;
  if (days !== undefined && day !== undefined && day > String(IN_DAYS[days])) return false;
  if (mostParcels !== undefined && !(one.numberOfParcels !== null && one.numberOfParcels <= mostParcels)) return false;
  if (incoTerms && !incoTerms.includes(String(one.incoTerms))) return false;
  return (methodUids?.includes(one.shipmentMethodUid) ?? true) && (types?.includes(one.type ?? '') ?? true);
}

/**
 * Returns whether a quote has methods that meet the rule and whose prices can be compared: all in one currency, or at least one in the
 * requested currency.
 */
function canMeet(quote: PortMethod[], asked: ShippingRule['choose'], isBusiness: boolean): boolean {
  const meeting = quote.filter((one) => meets(one, asked, isBusiness));
  const isOneCurrency = new Set(meeting.map(({ currency }) => currency)).size === 1;
  return isOneCurrency || meeting.some(({ currency }) => currency === 'USD');
}

const offers = fc.record({
  quotes: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(methods) },
    { weight: 1, arbitrary: fc.array(methods, { minLength: 2, maxLength: 3 }) },
  ),
  rules,
  shippingLine,
  isBusiness: fc.boolean(),
});

test('the first rule that every quote can meet applies, and it chooses the cheapest or the fastest method', () => {
  fc.assert(
    fc.property(offers, ({ quotes, rules: list, shippingLine: line, isBusiness }) => {
      const wish = { ...WISH, shippingLines: [line], isBusiness };
      const { methods: taken, way } = chooseShipping(quotes, wish, { ...POLICY, today: TODAY, rules: list });
      const chosenBy = list.findIndex(({ name }) => way.rule === `rule '${name}'`);
      const isRate = way.rule.startsWith('checkout rate ');
      for (const [at, rule] of list.entries()) {
        if (isRate || (chosenBy >= 0 && at >= chosenBy)) break;
        const { countries, title } = rule.when ?? {};
        const isTitled = title === undefined ? !isRated(line) : line.title === title;
        const applies = (countries?.includes('US') ?? true) && isTitled;
        expect(applies && quotes.every((quote) => canMeet(quote, rule.choose, isBusiness))).toBe(false);
      }
      const asked = list[chosenBy]?.choose;
      for (const [at, method] of taken.entries()) {
        const quote = quotes[at] ?? [];
        if (!method) {
          expect(asked).toBeUndefined();
          continue;
        }
        expect(quote).toContain(method);
        if (!asked) continue;
        expect(meets(method, asked, isBusiness)).toBe(true);
        const meeting = quote.filter((one) => meets(one, asked, isBusiness));
        if (new Set(meeting.map(({ currency }) => currency)).size > 1) expect(method.currency).toBe('USD');
        for (const rival of meeting.filter(({ currency }) => currency === method.currency)) {
          const isLater = String(method.maxDeliveryDate) > String(rival.maxDeliveryDate);
          if (asked.by === 'fastest') expect(isLater).toBe(false);
          if (asked.by !== 'fastest' || rival.maxDeliveryDate === method.maxDeliveryDate)
            expect(Math.round(Number(method.price) * 100)).toBeLessThanOrEqual(Math.round(Number(rival.price) * 100));
        }
      }
    }),
    { numRuns: 250 },
  );
});

test('a pallet or pickup is chosen only by a rule that names it, and only for a matching kind of buyer', () => {
  fc.assert(
    fc.property(offers, ({ quotes, rules: list, shippingLine: line, isBusiness }) => {
      const wish = { ...WISH, shippingLines: [line], isBusiness };
      const { methods: taken, way, lack } = chooseShipping(quotes, wish, { ...POLICY, today: TODAY, rules: list });
      expect(lack === null).toBe(taken.every((method) => method !== null));
      if (isRated(line) && lack === null) expect(way.rule).toMatch(/^(?:checkout rate|rule) /);
      for (const method of taken) {
        if (!method) continue;
        expect(isBusiness ? method.isBusiness : method.isPrivate).not.toBe(false);
        if (method.type !== 'pallet' && method.type !== 'pick_up') continue;
        const { types, methodUids } = way.choices[0] ?? {};
        expect(way.rule).toMatch(/^rule /);
        expect(types?.includes(method.type) || methodUids?.includes(method.shipmentMethodUid)).toBe(true);
      }
    }),
    { numRuns: 250 },
  );
});
