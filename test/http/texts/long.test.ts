import { expect, test } from 'vitest';
import { translateToGerman } from '../../../src/http/texts/german.ts';
import { limitSentences } from '../../../src/orders/facts/limit-sentences.ts';
import { MAX_STEPS } from '../../../src/http/texts/create-translator.ts';

const repeat = (count: number, part: (index: number) => string): string =>
  limitSentences(Array.from({ length: count }, (_, index) => part(index + 1))).join(' ');

test.each([
  [
    'print orders that may still be printed',
    `Nothing can be printed again. ${repeat(100, (index) => `pl1-7-${index} may still be printed. Cancel it first.`)}`,
  ],
  [
    'a held draft in a timeline',
    `pl1-7 is held: The order was changed in the store, so its draft was not confirmed. ${repeat(100, (index) => `The draft has 3 of SKU POSTER-${index}, but the order now needs 2.`)}`,
  ],
])('a long message of Platen is translated completely: %s', (_, english) => {
  const { untranslated, steps } = translateToGerman(english);
  expect(untranslated).toEqual([]);
  expect(steps).toBeLessThan(MAX_STEPS);
  expect(english).toContain('And 90 more.');
});
