import { expect, test } from 'vitest';
import { areas, translateToGerman } from '../../../src/http/texts/german.ts';
import { parseTemplate } from '../../../src/http/texts/template.ts';
import { fill } from './fill.ts';

const catalogs = Object.entries(areas);
const entries = catalogs.flatMap(([area, catalog]) =>
  Object.entries(catalog).map(([english, german]) => ({ area, english, german })),
);

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

test.each(catalogs)('each message in %s gets its own translation, as it matches no other template', (_, catalog) => {
  const filled = Object.entries(catalog).map(([english, german]) => [fill(english, 0), fill(german, 1)] as const);
  const wanted = filled.map(([english, german]) => ({ english, text: german, untranslated: [] }));
  expect(filled.map(([english]) => ({ english, ...translateToGerman(english) }))).toMatchObject(wanted);
});

test('no entry is so general that it matches texts that Platen did not write', () => {
  const general = entries.filter(({ english }) => {
    const { fixed, placeholders } = parseTemplate(english);
    const isFree = placeholders.every(({ kind }) => ['value', 'field', 'names', 'words'].includes(kind));
    return isFree && fixed[0] === '' && fixed.join('').replaceAll(/[^a-z]/gi, '').length < 5;
  });
  expect(general.map(({ english }) => english)).toEqual([]);
});

/** Entries that begin with the name of a shipping method, a SKU or a template's placeholder, which may contain several words. */
const STARTING_WITH_WORDS = [
  '{method:words} for {price:money}',
  '{method:words} for {price:money}, chosen by the merchant.',
  '{method:words} for {price:money}, the {rule:text}.',
  '{name:words} continues at the print service.',
  '{name:words} continues at the print service, although an event reported a problem with it.',
  '{name:words} of the variant {variant:words} has no file. Add a file for all variants to "imagePlaceholders", or for this variant to its entry in "variants"',
  '{sku:words}: {quantity:number}',
];

test('only the listed entries begin with an untranslated placeholder, which could also match the start of another text', () => {
  const begin = entries.filter(({ english }) => /^\{\w+:(?:words|names)\}/.test(english)).map(({ english }) => english);
  expect(begin.toSorted()).toEqual(STARTING_WITH_WORDS.toSorted());
});

test('a text that Platen did not write is not translated', () => {
  const text = 'Your order is with our printers';
  expect(translateToGerman(text)).toMatchObject({ text, untranslated: [text] });
});

test('each sentence of a message is translated, except for the text that the print service wrote', () => {
  const message = 'The print service refused the order with status 400. It says: Post code: no such code. Ask us.';
  expect(translateToGerman(`pl1-7 is held: ${message}`)).toMatchObject({
    text: 'pl1-7 ist angehalten: Der Druckdienst hat den Auftrag mit dem Status 400 abgelehnt. Die Meldung lautet: Post code: no such code. Ask us.',
    untranslated: [],
  });
});

test('an unknown sentence between two known sentences stays in English', () => {
  expect(translateToGerman('There is nothing here. Ask Jane. The property is empty.')).toMatchObject({
    text: 'Hier gibt es nichts. Ask Jane. Die Eigenschaft ist leer.',
    untranslated: ['Ask Jane'],
  });
});
