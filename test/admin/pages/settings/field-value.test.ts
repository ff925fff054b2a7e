import { beforeAll, describe, expect, test } from 'vitest';
import { setTimeZone } from '../../../../src/admin/format.ts';
import {
  findChanges,
  findErrorPath,
  toRaw,
  toRawGroup,
  toValue,
} from '../../../../src/admin/pages/settings/field-value.ts';
import { SECTIONS, type Field } from '../../../../src/admin/pages/settings/sections.ts';
import { settingsSchema } from '../../../../src/shops/settings/settings-schema.ts';

const fields: readonly Field[] = Object.values(SECTIONS).flat();
const findField = (name: string): Field => fields.find((one) => one.name === name) ?? { name, kind: 'text' };
const roundTrip = (name: string, value: unknown): unknown => toValue(findField(name), toRaw(findField(name), value));

beforeAll(() => setTimeZone('America/New_York'));

describe('a setting that is shown and saved unchanged', () => {
  test.each([
    ['delayMinutes', 30],
    ['release', 'daily'],
    ['notifyCustomer', false],
    ['fallbackEmail', null],
    ['fallbackEmail', 'shop@shop.example'],
    ['stockRegions', null],
    ['stockRegions', ['EU', 'US-CA']],
    ['printFileHosts', []],
    ['returnAddress', null],
    ['returnAddress', { companyName: 'Harbour Prints', city: 'Oslo', country: 'NO' }],
    ['approvalRules', {}],
    ['rateMargin', { percent: '10' }],
    ['rateRounding', { ending: '0.99' }],
    ['rateNames', { express: 'Fast' }],
    ['fallbackRates', [{ name: 'Standard', countries: ['*'], amount: '6.90', type: 'standard' }]],
    ['shippingRules', [{ name: 'North', when: { countries: ['NO'] }, choose: { by: 'fastest', days: 3 } }]],
    ['shippingRules', []],
    ['shippingRules', [{ name: 'A', when: { skus: ['A,B', 'C "D"', 'E'] }, choose: { types: ['express'] } }]],
    ['approvalRules', { productTags: ['made, to order'], firstTimeBuyers: false }],
  ])('the setting %s keeps its value %j', (name, value) => {
    expect(roundTrip(name, value)).toEqual(value);
    expect(settingsSchema.safeParse({ [name]: value }).success).toBe(true);
  });
});

test('a switch that is off is omitted if its group has no other value', () => {
  expect(roundTrip('approvalRules', { firstTimeBuyers: false })).toEqual({});
  expect(roundTrip('approvalRules', { firstTimeBuyers: true })).toEqual({ firstTimeBuyers: true });
});

test('an amount may have a decimal comma', () => {
  expect(toValue(findField('ratesFreeFrom'), '12,50')).toBe('12.50');
});

test('an invalid number is passed to the API unchanged, so that the API can explain the error', () => {
  expect(toValue(findField('delayMinutes'), 'soon')).toBe('soon');
  expect(toValue(findField('delayMinutes'), '')).toBe('');
});

test('a day begins at midnight in the shop’s time zone, even on days when the clocks change', () => {
  const field = findField('takesOrdersFrom');
  expect(toValue(field, '2026-01-05')).toBe('2026-01-05T05:00:00.000Z');
  expect(toValue(field, '2026-03-08')).toBe('2026-03-08T05:00:00.000Z');
  expect(toValue(field, '2026-03-09')).toBe('2026-03-09T04:00:00.000Z');
  expect(toRaw(field, '2026-01-05T04:59:00.000Z')).toBe('2026-01-04');
  expect(toValue(field, 'tomorrow')).toBe('tomorrow');
});

test('only settings that differ from their saved values are sent', () => {
  const saved = toRawGroup(SECTIONS.buyers, { notifyCustomer: true, gatherSeconds: 60 });
  expect(findChanges(SECTIONS.buyers, saved, { ...saved, gatherSeconds: '90' })).toEqual({ gatherSeconds: 90 });
  expect(findChanges(SECTIONS.buyers, saved, { ...saved })).toEqual({});
});

test.each([
  ['fallbackRates.0.countries.1', 'fallbackRates.0.countries'],
  ['fallbackRates.0', 'fallbackRates.0'],
  ['fallbackRates.7.name', 'fallbackRates'],
  ['rateMargin.percent', 'rateMargin.percent'],
  ['rateMargin', 'rateMargin'],
  ['printKey', null],
])('an error at %s is shown at %s', (named, path) => {
  const draft = toRawGroup(SECTIONS.rates, { fallbackRates: [{ name: 'Standard' }] });
  expect(findErrorPath(SECTIONS.rates, draft, named)).toBe(path);
});
