import { describe, expect, test } from 'vitest';
import { toManualMethodRule, type ShippingPreference } from '../../../src/orders/facts/shipping-method-rule.ts';
import { type ShippingPolicy, chooseShipping } from '../../../src/orders/quote/choose-shipping.ts';
import { describeChoice } from '../../../src/orders/quote/describe-choice.ts';
import type { PortMethod } from '../../../src/print/port.ts';
import { toRateCode } from '../../../src/rates/rate-code.ts';
import type { ShippingRule } from '../../../src/shops/settings/shipping-rules.ts';
import { offered as method, POLICY, WISH } from './offered.ts';

const EXPRESS: ShippingPreference = { ...WISH, shippingLines: [{ title: 'Express (1 to 2 days)', code: 'custom' }] };
const rated = (type: string, uid?: string): ShippingPreference => ({
  ...WISH,
  shippingLines: [{ title: 'DHL', code: toRateCode(type, uid) }],
});

function choose(quotes: PortMethod[][], wish: ShippingPreference = WISH, change: Partial<ShippingPolicy> = {}) {
  return chooseShipping(quotes, wish, { ...POLICY, ...change });
}

function chosen(...given: Parameters<typeof choose>): (string | null)[] {
  return choose(...given).methods.map((one) => one?.shipmentMethodUid ?? null);
}

/** Chooses methods with this rule as the only rule. Returns whether the rule decided, and the chosen methods. */
function byRule(rule: Omit<ShippingRule, 'name'>, quotes: PortMethod[][], wish: ShippingPreference = WISH) {
  const { methods, way } = choose(quotes, wish, { rules: [{ name: 'mine', ...rule }] });
  return [way.rule === "rule 'mine'", methods.map((one) => one?.shipmentMethodUid ?? null)];
}

const cheap = method('cheap', 'normal', 5, { maxDeliveryDate: '2026-12-01' });
const quick = method('quick', 'standard', 9, { maxDeliveryDate: '2026-11-25', incoTerms: 'DDP' });
const fast = method('fast', 'express', 20, { maxDeliveryDate: '2026-11-23', numberOfParcels: 2 });
const pallet = method('truck', 'pallet', 1, { maxDeliveryDate: '2026-11-22' });
const pickUp = method('shelf', 'pick_up', 1, { maxDeliveryDate: '2026-11-22' });
const ALL = [cheap, quick, fast, pallet, pickUp];

describe('a shipping method that a person chose', () => {
  const byHand = (...methodUids: string[]): ShippingPreference => ({
    ...rated('express', 'fast'),
    settled: toManualMethodRule({ methodUids, name: 'Chosen' }),
  });

  test("the chosen method takes precedence over the buyer's rate and all rules, and may be a pallet", () => {
    expect(chosen([ALL], byHand('quick'), { rules: [{ name: 'all', choose: { by: 'fastest' } }] })).toEqual(['quick']);
    expect(chosen([ALL], byHand('truck'))).toEqual(['truck']);
  });

  test('no other method replaces a method that is no longer offered', () => {
    const { methods, lack, lostRate } = choose([ALL, [cheap]], byHand('quick'));
    expect([methods, lack, lostRate]).toEqual([
      [null, null],
      'no method quick is offered for one of the 2 quotes',
      null,
    ]);
  });
});

describe('the choice of a shipping method without rules', () => {
  test('all quotes get their cheapest method if one of them offers no express method', () => {
    const quotes = [[method('x', 'express', 15), method('n1', 'normal', 5)], [method('n2', 'normal', 6)]];
    expect(chosen(quotes, EXPRESS)).toEqual(['n1', 'n2']);
    expect(choose(quotes, EXPRESS).passedOver).toEqual([
      {
        rule: 'cheapest express method',
        why: 'no method of type express is offered for one of the 2 quotes',
        applies: true,
      },
    ]);
  });

  test('a pallet or pickup is not chosen automatically', () => {
    expect(chosen([[pallet, pickUp]])).toEqual([null]);
    expect(choose([[pallet, pickUp]]).lack).toBe('only a pallet or pickup is offered');
    expect(chosen([[pallet, method('n', 'normal', 8)]])).toEqual(['n']);
  });

  test.each([
    ['Express (1 to 2 days)', 'custom', 'fast'],
    ['Next day', 'DHL_EXPRESS', 'fast'],
    ['Expressversand', null, 'fast'],
    ['Standard', null, 'cheap'],
    ['Overnight', null, 'cheap'],
  ])('a shipping line with the title %s and the code %s gets the method %s', (title, code, uid) => {
    expect(chosen([ALL], { ...WISH, shippingLines: [{ title, code }] })).toEqual([uid]);
  });
});

describe('the prices of shipping methods', () => {
  test('prices are compared as decimals, and methods with equal prices are ordered by method UID', () => {
    expect(chosen([[method('ten', 'normal', '10.00'), method('nine', 'normal', '9.50')]])).toEqual(['nine']);
    expect(chosen([[method('b', 'normal', 4), method('a', 'normal', '4.0')]])).toEqual(['a']);
    const tiny = ['90071992547409930.01', '90071992547409930.02'].map((price, at) => method(`m${at}`, 'normal', price));
    expect(chosen([tiny.toReversed()])).toEqual(['m0']);
  });

  test('prices in different currencies are not compared, and only the requested currency counts', () => {
    const euro = method('euro', 'normal', 1, { currency: 'EUR' });
    const krone = method('krone', 'normal', 2, { currency: 'NOK' });
    expect(chosen([[euro, cheap]])).toEqual(['cheap']);
    expect(chosen([[euro, krone, method('x', 'express', 30)]])).toEqual([null]);
    expect(choose([[euro, krone]]).lack).toBe('its prices cannot be compared (EUR, NOK)');
    expect(chosen([[euro, method('euro2', 'normal', '0.99', { currency: 'EUR' })]])).toEqual(['euro2']);
  });

  test.each(['NaN', 'free', -3, ''])('a method with the price %j is never chosen', (price) => {
    const only = [method('?', 'normal', price)];
    expect(chosen([only])).toEqual([null]);
    expect(choose([only]).lack).toBe('none of these methods has a price');
    expect(chosen([only], rated('normal', '?'))).toEqual([null]);
  });
});

describe('the Platen rate that the buyer chose', () => {
  test('a rate with a method selects exactly that method, before any rule applies', () => {
    const rules = [{ name: 'cheap', choose: { by: 'cheapest' as const } }];
    expect(chosen([ALL], rated('standard', 'quick'), { rules })).toEqual(['quick']);
    expect(choose([ALL], rated('standard', 'quick'), { rules }).way.rule).toBe("checkout rate 'quick'");
  });

  test('a rate with only a type selects the cheapest method of that type in every quote', () => {
    const others = [method('x2', 'express', 31), method('x1', 'express', 30), method('n', 'normal', 1)];
    expect(chosen([ALL, others], rated('express'))).toEqual(['fast', 'x1']);
  });

  test('a rate whose type is not offered is not replaced by a general rule or the cheapest method', () => {
    const rules: ShippingRule[] = [
      { name: 'all', choose: { types: ['standard'] } },
      { name: 'here', when: { countries: ['US'] }, choose: { types: ['standard'] } },
      { name: 'other', when: { title: 'UPS' }, choose: { types: ['standard'] } },
    ];
    const choice = choose([[cheap, quick]], rated('express', 'gone'), { rules });
    expect(choice.methods).toEqual([null]);
    expect(choice.lack).toBe('no method of type express is offered');
    expect(choice.lostRate).toEqual({ title: 'DHL', type: 'express', code: 'platen:express:gone' });
    const titled = { ...WISH, shippingLines: [{ title: 'Express', code: toRateCode('normal', 'gone') }] };
    expect(chosen([[quick, fast]], titled)).toEqual([null]);
  });

  test('a rate whose type is not offered follows a rule that names its title or code', () => {
    const byCode = { name: 'mine', when: { code: 'platen:express:gone' }, choose: { types: ['standard'] } };
    const byTitle = { name: 'mine', when: { title: 'dhl' }, choose: { types: ['standard'] } };
    for (const rule of [byCode, byTitle]) {
      const { methods, passedOver, way, lostRate } = choose([[cheap, quick]], rated('express', 'gone'), {
        rules: [{ name: 'all', choose: { types: ['normal'] } }, rule],
      });
      expect([methods, way.rule, lostRate]).toEqual([[quick], "rule 'mine'", null]);
      expect(passedOver).toMatchObject([
        { rule: "checkout rate 'gone'", why: 'no method of type express is offered', applies: true },
        { rule: "rule 'all'", applies: false },
      ]);
    }
  });

  test('the rate "cheapest" selects the cheapest method of each quote, before any rule applies', () => {
    const quotes = [
      [method('n', 'normal', 5), method('s', 'standard', 9)],
      [method('x', 'express', 9), method('p', 'postal', 30)],
    ];
    const rules = [{ name: 'mine', choose: { types: ['standard', 'postal'] } }];
    expect(chosen(quotes, rated('cheapest'), { rules })).toEqual(['n', 'x']);
    expect(chosen([[pallet, method('x', 'express', 9)]], rated('cheapest'), { rules })).toEqual(['x']);
  });

  test('a rate of the type "normal" also accepts a method without a type', () => {
    const untold = method('u', 'normal', 5, { type: null });
    const rules = [{ name: 'mine', choose: { types: ['express'] } }];
    const dear = method('x', 'express', 9);
    expect(chosen([[untold, dear]], rated('normal', 'gone'), { rules })).toEqual(['u']);
    expect(chosen([[untold, dear]], rated('normal'), { rules })).toEqual(['u']);
    expect(chosen([[untold, dear]], WISH, { rules: [{ name: 'n', choose: { types: ['normal'] } }] })).toEqual(['u']);
  });
});

describe('a shipping rule chooses', () => {
  test.each<[string, ShippingRule['choose'], string]>([
    ['a method by its UID', { methodUids: ['other', 'quick'] }, 'quick'],
    ['the cheapest method of several types', { types: ['express', 'standard'] }, 'quick'],
    ['the fastest method by its latest delivery date', { by: 'fastest' }, 'fast'],
    ['the fastest method of several types', { types: ['normal', 'standard'], by: 'fastest' }, 'quick'],
    ['the cheapest method that arrives within a number of days', { days: 5 }, 'quick'],
    ['the cheapest method that arrives by a date', { date: '2026-11-24' }, 'fast'],
    ['a method by its incoterms', { incoTerms: ['ddp'] }, 'quick'],
    ['a method by its number of parcels', { mostParcels: 1, by: 'fastest' }, 'quick'],
    ['a pallet that it names by its type', { types: ['pallet'] }, 'truck'],
    ['a pickup that it names by its UID', { methodUids: ['shelf'] }, 'shelf'],
  ])('%s', (_, choice, uid) => {
    expect(byRule({ choose: choice }, [ALL])).toEqual([true, [uid]]);
  });

  test.each<[string, ShippingRule['choose']]>([
    ['it limits the delivery time and no method has a valid delivery date', { days: 300 }],
    ['it asks for the fastest method and no method has a valid delivery date', { by: 'fastest' }],
    ['it requires incoterms and no method states any', { incoTerms: ['DDP'] }],
  ])('a rule chooses no method if %s', (_, choice) => {
    const bad = [
      { maxDeliveryDate: 'soon' },
      { maxDeliveryDate: '2026-02-30' },
      { minDeliveryDate: '2026-11-29', maxDeliveryDate: '2026-11-28' },
    ];
    for (const change of bad) {
      const undated = [cheap, quick].map((one) => ({ ...one, incoTerms: null, ...change }));
      expect(byRule({ choose: choice }, [undated])).toEqual([false, ['cheap']]);
    }
  });

  test('a rule that one of several quotes cannot meet is skipped, the reason is stated, and the next rule is tried', () => {
    const rules: ShippingRule[] = [
      { name: 'first', choose: { days: 2 } },
      { name: 'second', choose: { types: ['standard'] } },
    ];
    const quotes = [ALL, [method('q2', 'standard', 3), method('n2', 'normal', 2)]];
    const choice = choose(quotes, WISH, { rules });
    expect(choice.methods.map((one) => one?.shipmentMethodUid)).toEqual(['quick', 'q2']);
    expect(describeChoice(quick, choice)).toBe(
      "quick for 9.00 USD, the rule 'second'. Passed over: the rule 'first' (nothing arrives within 2 days for one of the 2 quotes).",
    );
  });
});

describe('the conditions of a shipping rule', () => {
  const poster = { sku: 'POSTER', productUid: 'poster', tags: ['Wall art'] };
  const card = { sku: 'CARD', productUid: 'card', tags: [] };
  const both = { ...WISH, products: [poster, card] };

  test.each<[string, NonNullable<ShippingRule['when']>, ShippingPreference, boolean]>([
    ['a title matches part of the title of the shipping line, ignoring case', { title: 'STAND' }, WISH, true],
    ['a code matches the complete code of the shipping line', { code: 'Standard' }, WISH, true],
    ['a code does not match if it is only part of the code of the shipping line', { code: 'Stand' }, WISH, false],
    ['a title and a code must match the same shipping line', { title: 'a', code: 'b' }, twoLines(), false],
    ['a title does not match a different title', { title: 'priority' }, WISH, false],
    ['one of several countries matches', { countries: ['NO', 'US'] }, WISH, true],
    ['a country does not match a different country', { countries: ['NO'] }, WISH, false],
    ['a product tag matches, ignoring case', { productTags: ['wall ART'] }, WISH, true],
    ['a rule applies if one of several lines matches', { skus: ['CARD'] }, both, true],
    ['a rule for every line does not apply if only one line matches', { skus: ['CARD'], lines: 'every' }, both, false],
    ['a rule for every line applies if every line matches', { skus: ['CARD', 'POSTER'], lines: 'every' }, both, true],
    ['a product UID matches', { productUids: ['card'] }, both, true],
    ['a product UID and a tag must match one line', { productUids: ['card'], productTags: ['wall art'] }, both, false],
    ['a rule does not apply if one of its conditions fails', { title: 'standard', countries: ['SE'] }, WISH, false],
  ])('%s', (_, when, wish, expected) => {
    expect(byRule({ when, choose: { types: ['standard'] } }, [ALL], wish)[0]).toBe(expected);
  });
});

test('a part that is quoted separately gets the shipping method that was chosen for the whole order', () => {
  const rules = [{ name: 'fast', choose: { by: 'fastest' as const } }];
  const whole = choose([ALL, [method('n2', 'normal', 2)]], WISH, { rules });
  expect(whole.way.rule).toBe('cheapest method');
  expect(chosen([ALL], { ...WISH, settled: whole.way }, { rules })).toEqual(['cheap']);
  const express = choose([ALL], EXPRESS);
  expect(chosen([ALL], { ...WISH, settled: express.way }, { rules })).toEqual(['fast']);
});

function twoLines(): ShippingPreference {
  const shippingLines = [
    { title: 'a', code: 'a' },
    { title: 'b', code: 'b' },
  ];
  return { ...WISH, shippingLines };
}
