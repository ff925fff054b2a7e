import { expect, test } from 'vitest';
import { SECTIONS, type Field } from '../../../../src/admin/pages/settings/sections.ts';
import { deSettings } from '../../../../src/admin/texts/de-settings.ts';
import { enSettings } from '../../../../src/admin/texts/en-settings.ts';
import { settingNames } from '../../../../src/shops/settings/settings-schema.ts';

/** Settings that have separate forms, because their values are secret. */
const SECRETS = ['printKey', 'printWebhookHeader', 'alertSlackUrl'];
const fields: readonly Field[] = Object.values(SECTIONS).flat();

function* listPaths(list: readonly Field[], above = ''): Generator<{ path: string; options: readonly string[] }> {
  for (const field of list) {
    const path = above === '' ? field.name : `${above}.${field.name}`;
    yield { path, options: field.kind === 'choice' ? field.options : [] };
    if (field.kind === 'group') yield* listPaths(field.fields, path);
    if (field.kind === 'rows') yield* listPaths(field.row, path);
  }
}

test('every setting can be changed on exactly one page', () => {
  const names = [...fields.map(({ name }) => name), ...SECRETS];
  expect(names.toSorted()).toEqual([...settingNames].toSorted());
});

test.each([
  ['English', enSettings],
  ['German', deSettings],
])('every field and choice has a text in %s', (_, texts) => {
  const paths = [...listPaths(fields)];
  expect(Object.keys(texts.fields).toSorted()).toEqual(paths.map(({ path }) => path).toSorted());
  const choices = paths.flatMap(({ path, options }) => options.map((option) => `${path}.${option}`));
  expect(Object.keys(texts.choices).toSorted()).toEqual(choices.toSorted());
});
