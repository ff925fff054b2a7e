import { describe, expect, test } from 'vitest';
import { parseSettingsChange } from '../../../src/shops/settings/settings-schema.ts';

describe('the settings for checkout rates', () => {
  test.each([
    { rateMargin: { percent: '12.5', amount: 0.5 } },
    { rateMargin: null },
    { rateRounding: { to: '0.05' } },
    { rateRounding: { ending: '0.99' } },
    { ratesFreeFrom: '50' },
    { rateNames: { normal: 'Standardversand' } },
    { ownStockRates: [{ countries: ['DE', 'AT'], amount: '4.90', perItem: '1' }] },
    { fallbackRates: [{ name: 'Standard', countries: ['*'], amount: '6.90', type: 'express' }] },
  ])('the settings accept %j', (change) => {
    expect(() => parseSettingsChange(change)).not.toThrow();
  });

  test.each([
    [{ rateMargin: { percent: '-5' } }, 'rateMargin.percent'],
    [{ rateRounding: { to: '0' } }, 'rateRounding.to'],
    [{ rateRounding: { to: '0.05', ending: '0.99' } }, 'rateRounding'],
    [{ rateRounding: { ending: '1.00' } }, 'rateRounding.ending'],
    [{ ratesFreeFrom: 'never' }, 'ratesFreeFrom'],
    [{ rateNames: { overnight: 'x' } }, 'rateNames'],
    [{ ownStockRates: [{ countries: [], amount: '1' }] }, 'ownStockRates.0.countries'],
    [{ fallbackRates: [{ name: 'x', countries: ['DE', 'EU'], amount: '1' }] }, 'fallbackRates.0.countries.1'],
  ])('the settings refuse %j, and the error names the field', (change, field) => {
    expect(() => parseSettingsChange(change)).toThrow(expect.objectContaining({ field }) as Error);
  });
});

describe('the error for a refused setting', () => {
  test.each<[object, string]>([
    [{ rateMargin: '10' }, 'rateMargin: must be an object with the fields percent, amount. Markup on'],
    [{ rateMargin: { procent: '5' } }, 'rateMargin: has no field procent; its fields are percent, amount.'],
    [{ rateMargin: { percent: '1001' } }, 'rateMargin.percent: must be at most 1000.'],
    [{ rateNames: [] }, 'rateNames: must be an object with the fields normal, standard, express.'],
    [{ fallbackRates: '{' }, 'fallbackRates: must be a list of rows. Rates to offer'],
    [
      { fallbackRates: ['x'] },
      'fallbackRates.0: must be an object with the fields countries, amount, perItem, name, type.',
    ],
    [{ fallbackRates: [{ name: 'x', countries: ['*'] }] }, 'fallbackRates.0.amount: must be an amount such as 12.50.'],
    [{ fallbackRates: [{ countries: ['*'], amount: '1' }] }, 'fallbackRates.0.name: must be text.'],
    [{ fallbackRates: [{ name: 'x', amount: '1' }] }, 'fallbackRates.0.countries: must be a list of countries such as'],
    [{ fallbackRates: [{ name: 'x', amount: '1', countries: [1] }] }, 'must be country codes such as DE'],
    [{ ownStockRates: [{ countries: ['UK'], amount: '1' }] }, 'must be country codes such as DE'],
    [
      { ownStockRates: [{ countries: ['*'], amount: '1', alone: 'yes' }] },
      'ownStockRates.0.alone: must be true or false.',
    ],
    [
      { fallbackRates: [{ name: 'x', countries: ['*'], amount: '1', type: 'pallet' }] },
      'fallbackRates.0.type: must be normal, standard or express.',
    ],
  ])('the error for %j states what is allowed', (change, words) => {
    let message = '';
    try {
      parseSettingsChange(change);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toContain(words);
    expect(message).not.toContain('Invalid');
    expect(message).toContain('such as');
  });
});
