import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { showSetting } from '../../../src/cli/shops/show-setting.ts';
import { readSettingText } from '../../../src/shops/settings/read-setting-text.ts';
import {
  fillSettings,
  parseSettingsChange,
  settingNames,
  settingsSchema,
  type SettingName,
} from '../../../src/shops/settings/settings-schema.ts';
import type { ShownSettings } from '../../../src/shops/settings/settings.ts';

const ROOT = new URL('../../../', import.meta.url);
const DEFAULTS = fillSettings({});
const read = (name: string, text: string) => parseSettingsChange({ [name]: readSettingText(name, text) });

describe('a setting in the form of a command argument', () => {
  test.each<[SettingName, string, unknown]>([
    ['stockRegions', '["EU"]', ['EU']],
    ['stockRegions', 'EU, US-CA', ['EU', 'US-CA']],
    ['stockRegions', '', null],
    ['stockRegions', 'null', null],
    ['approvalRules', '{"minimumTotal":"500.00"}', { minimumTotal: '500.00' }],
    ['approvalRules', '', {}],
    ['delayMinutes', '30', 30],
    ['liveRates', 'on', true],
    ['liveRates', 'false', false],
    ['ratesFreeFrom', '50.00', '50.00'],
    ['postCodePlaceholder', '01234', '01234'],
    ['printFileHosts', 'files.example, *.b.example', ['files.example', '*.b.example']],
    ['rateNames', '', {}],
    ['fallbackEmail', '', null],
    ['printStoreId', '12345', '12345'],
    ['printWebhookHeader', 'X-Lock: open: sesame', { name: 'X-Lock', value: 'open: sesame' }],
    ['printWebhookHeader', '{"name":"X-Lock","value":"open sesame"}', { name: 'X-Lock', value: 'open sesame' }],
    ['takesOrdersFrom', '2026-02-01T00:00:00Z', new Date('2026-02-01T00:00:00Z')],
  ])("%s=%s is read as the setting's value", (name, text, value) => {
    expect(read(name, text)).toEqual({ [name]: value });
  });

  test.each([
    ['delayMinutes', 'soon', 'delayMinutes: must be a whole number'],
    ['delayMinutes', '', 'delayMinutes: must be a whole number'],
    ['submit', '', 'submit: must be draft or direct'],
    ['stockRegions', 'eu', 'stockRegions.0: must be a stock region'],
    [
      'approvalRules',
      '{"minimumTotal":',
      'approvalRules: the value is not valid JSON. In a shell, put single quotes around the value',
    ],
    ['approvalRules', '{"minimumTotal":-1}', 'approvalRules.minimumTotal: must be an amount'],
    ['printWebhookHeader', 'secret', 'printWebhookHeader'],
    ['colour', 'red', 'There is no setting colour'],
  ])('%s=%s is refused, and the error states the allowed values', (name, text, message) => {
    expect(() => read(name, text)).toThrow(message);
  });

  test.each(Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[])(
    'the shown value of %s can be entered again',
    (name) => {
      const shown = showSetting(DEFAULTS as ShownSettings, name).slice(name.length + 1);
      expect(read(name, shown)).toEqual({ [name]: DEFAULTS[name] });
    },
  );
});

/** Returns every `name=value` of a setting in the documentation, and every JSON example in a setting's description. */
function documented(): [name: string, text: string][] {
  const names = new RegExp(`(?<![?&\\w])(${settingNames.join('|')})=('[^']+'|[^\\s\`";)&]+)`, 'g');
  const inTexts = texts().flatMap((text) =>
    [...text.matchAll(names)].map(([, name = '', value = '']) => [name, value]),
  );
  const inSchema = settingNames.flatMap((name) => {
    const { description = '' } = settingsSchema.shape[name].unwrap();
    return jsonIn(description).map((example) => [name, example]);
  });
  const examples = [...inTexts, ...inSchema].map(([name = '', value = '']): [string, string] => [
    name,
    value.replace(/^'(.*)'$/, '$1'),
  ]);
  // An ellipsis stands for a value that the reader provides.
  return examples.filter(([, value]) => !value.includes('…'));
}

/** Returns the JSON values in a text. */
function jsonIn(sentence: string): string[] {
  const starts = [...sentence.matchAll(/(?<= )[[{]/g)].map(({ index }) => index);
  return starts.flatMap((start) => {
    const ends = [...sentence.slice(start).matchAll(/[\]}]/g)].map(({ index }) => start + index + 1);
    const end = ends.find((one) => isJson(sentence.slice(start, one)));
    return end === undefined ? [] : [sentence.slice(start, end)];
  });
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function texts(): string[] {
  const docs = readdirSync(new URL('docs/', ROOT), { encoding: 'utf8', recursive: true }).filter((file) =>
    file.endsWith('.md'),
  );
  return ['README.md', ...docs.map((file) => `docs/${file}`)].map((path) => readFileSync(new URL(path, ROOT), 'utf8'));
}

test.each(documented())('the documented %s=%s is accepted', (name, text) => {
  expect(read(name, text)).toHaveProperty(name);
});
