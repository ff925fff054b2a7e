import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/errors.ts';
import { fillSettings, parseSettingsChange } from '../../../src/shops/settings/settings-schema.ts';
const choose = { types: ['express'] };

function refusalOf(shippingRules: unknown): unknown {
  try {
    return parseSettingsChange({ shippingRules });
  } catch (error) {
    return error;
  }
}

describe('the shipping rules of a shop', () => {
  test('shipping rules are stored and returned unchanged, except for trimmed names and uppercase country codes', () => {
    const when = { title: 'express', code: 'X1', countries: ['no', 'US'], skus: ['A'], productUids: ['poster'] };
    const methods = { methodUids: ['ups'], types: ['express'], incoTerms: ['DDP'], mostParcels: 2, by: 'fastest' };
    const rules = [
      {
        name: ' Express orders ',
        when: { ...when, productTags: ['Fragile'], lines: 'every' },
        choose: { ...methods, days: 3, date: '2026-12-24' },
      },
      { name: 'Cheapest', choose: { by: 'cheapest' } },
    ];
    const { shippingRules } = parseSettingsChange({ shippingRules: rules });
    const [first] = rules;
    const expected = [
      { ...first, name: 'Express orders', when: { ...first?.when, countries: ['NO', 'US'] } },
      { name: 'Cheapest', choose: { by: 'cheapest' } },
    ];
    expect(shippingRules).toEqual(expected);
    expect(fillSettings({ shippingRules: JSON.parse(JSON.stringify(shippingRules)) }).shippingRules).toEqual(expected);
  });

  const second = (rule: unknown) => [{ name: 'first', choose }, rule];
  test.each<[rules: unknown, field: string, words: RegExp]>([
    [{}, '', /must be a list of rules/],
    [null, '', /must be a list of rules/],
    [Array.from({ length: 51 }, (_, at) => ({ name: String(at), choose })), '', /at most 50 rules/],
    [second('express'), '.1', /must be an object with the fields name, when, choose \(rule 2\)/],
    [second({ choose }), '.1.name', /must be text \(rule 2\)/],
    [second({ name: '', choose }), '.1.name', /must not be empty/],
    [second({ name: 'first', choose }), '.1.name', /must be unique among the rules \(rule 'first'\)/],
    [second({ name: 'b', choose, if: 1 }), '.1', /has no field if; its fields are name, when, choose \(rule 'b'\)/],
    [second({ name: 'b' }), '.1.choose', /must be an object with the fields methodUids, .*\(rule 'b'\)/],
    [second({ name: 'b', choose: {} }), '.1.choose', /must not be empty \(rule 'b'\)/],
    [second({ name: 'b', choose: { speed: 1 } }), '.1.choose', /has no field speed; its fields are methodUids/],
    [second({ name: 'b', choose: { by: 'slowest' } }), '.1.choose.by', /must be cheapest or fastest \(rule 'b'\)/],
    [second({ name: 'b', choose: { days: 1.5 } }), '.1.choose.days', /whole number from 0 to 365/],
    [second({ name: 'b', choose: { date: '24.12.2026' } }), '.1.choose.date', /a date such as 2026-12-24/],
    [second({ name: 'b', choose: { date: '2026-02-30' } }), '.1.choose.date', /a date such as/],
    [second({ name: 'b', choose: { types: 'express' } }), '.1.choose.types', /must be a list of types/],
    [second({ name: 'b', choose: { types: [] } }), '.1.choose.types', /must have 1 to 100 types/],
    [second({ name: 'b', choose: { types: [1] } }), '.1.choose.types.0', /must be text/],
    [second({ name: 'b', choose: { methodUids: ['a\u0000'] } }), '.1.choose.methodUids.0', /control characters/],
    [second({ name: 'b', choose: { mostParcels: 0 } }), '.1.choose.mostParcels', /from 1 to 1000/],
    [second({ name: 'b', when: { countries: ['UK'] }, choose }), '.1.when.countries.0', /alpha-2/],
    [second({ name: 'b', when: { countries: ['Norway'] }, choose }), '.1.when.countries.0', /alpha-2/],
    [second({ name: 'b', when: { countries: 'NO' }, choose }), '.1.when.countries', /alpha-2/],
    [second({ name: 'b', when: { lines: 'every' }, choose }), '.1.when', /must have SKUs, print products or tags/],
    [second({ name: 'b', when: { lines: 'most', skus: ['a'] }, choose }), '.1.when.lines', /must be any or every/],
    [second({ name: 'b', when: { weight: 3 }, choose }), '.1.when', /has no field weight; its fields are title/],
  ])('%j are refused, and the message names the rule, the field and its allowed values', (rules, field, words) => {
    const error = refusalOf(rules);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ field: `shippingRules${field}`, message: expect.stringMatching(words) });
  });
});
