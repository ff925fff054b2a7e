import { expect, test } from 'vitest';
import { areas, translateToGerman } from '../../../src/http/texts/german.ts';
import { fillTemplate, parseTemplate, type Template } from '../../../src/http/texts/template.ts';

const catalogues = Object.entries(areas);
const entries = catalogues.flatMap(([area, catalogue]) =>
  Object.entries(catalogue).map(([english, german]) => ({ area, english, german })),
);

/** For each kind of placeholder, a value with its translation. */
const SAMPLES: Record<Template['placeholders'][number]['kind'], [english: string, german: string]> = {
  value: ['#1001', '#1001'],
  field: ['items[0].sku', 'items[0].sku'],
  number: ['12.50', '12.50'],
  names: ['#1001 or #1002', '#1001 oder #1002'],
  words: ['Not now. Ask Jane', 'Not now. Ask Jane'],
  text: ['the order is canceled', 'die Bestellung ist storniert'],
  list: ['nothing is offered; the order is canceled', 'nichts wird angeboten; die Bestellung ist storniert'],
};

/** Fills the placeholders of a template in English (0) or German (1). */
function fill(source: string, language: 0 | 1): string {
  const template = parseTemplate(source);
  const values = template.placeholders.map(({ name, kind }) => [name, SAMPLES[kind][language]] as const);
  return fillTemplate(template, new Map(values));
}

test('no text is translated in two areas', () => {
  const counts = Map.groupBy(entries, ({ english }) => english);
  expect([...counts.values()].filter((all) => all.length > 1).map(([one]) => one?.english)).toEqual([]);
});

test('a translation has the same placeholders as the English text, with the same kinds', () => {
  const list = (text: string) =>
    parseTemplate(text)
      .placeholders.map(({ name, kind }) => `${name}:${kind}`)
      .toSorted();
  for (const { english, german: translated } of entries) expect(list(translated), english).toEqual(list(english));
});

test.each(catalogues)(
  'each message in %s gets its own translation, because it matches no other template',
  (_, catalogue) => {
    const filled = Object.entries(catalogue).map(([english, german]) => [fill(english, 0), fill(german, 1)] as const);
    const wanted = filled.map(([english, german]) => ({ english, text: german, untranslated: [] }));
    expect(filled.map(([english]) => ({ english, ...translateToGerman(english) }))).toEqual(wanted);
  },
);

test('no entry is so general that it matches texts that Platen did not write', () => {
  const general = entries.filter(({ english }) => {
    const { fixed, placeholders } = parseTemplate(english);
    const isFree = placeholders.every(({ kind }) => ['value', 'field', 'names', 'words'].includes(kind));
    return isFree && fixed[0] === '' && fixed.join('').replaceAll(/[^a-z]/gi, '').length < 5;
  });
  expect(general.map(({ english }) => english)).toEqual([]);
});

test('a text that Platen did not write is not translated', () => {
  const text = 'Your order is with our printers';
  expect(translateToGerman(text)).toEqual({ text, untranslated: [text] });
});

test('each sentence of a message is translated, except for the text that the print service wrote', () => {
  const message = 'The print service refused the order with status 400. It says: Post code: no such code. Ask us.';
  expect(translateToGerman(`pl1-7 is held: ${message}`)).toEqual({
    text: 'pl1-7 ist angehalten: Der Druckdienst hat den Auftrag mit dem Status 400 abgelehnt. Die Meldung lautet: Post code: no such code. Ask us.',
    untranslated: [],
  });
});

test('an unknown sentence between two known sentences stays in English', () => {
  expect(translateToGerman('There is nothing here. Ask Jane. The property is empty.')).toEqual({
    text: 'Hier gibt es nichts. Ask Jane. Die Eigenschaft ist leer.',
    untranslated: ['Ask Jane'],
  });
});
