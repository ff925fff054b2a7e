import { expect, test } from 'vitest';
import { areas, translateToGerman } from '../../../src/http/texts/german.ts';
import { MAX_STEPS } from '../../../src/http/texts/create-translator.ts';
import { translateInSlices } from '../../../src/http/texts/translate-texts.ts';
import { fill } from './fill.ts';

const KNOWN = 'pl1-7 is held: The order was canceled in the store.';
/** The longest text that is translated at all. */
const LONGEST = 10_000;
/** The CPU time of one text: 20 ms, times a factor for a busy machine. The real bound is the number of steps. */
const MAX_CPU_MS = 3 * 20;
const MANY_WAYS =
  'a: b is held: The print service reports "a" for b: c of d (Only an event). 1 of b, with the comment: e. ';
const nesting = Object.values(areas)
  .flatMap((catalog) => Object.keys(catalog))
  .filter((english) => /\{\w+:(?:text|list)\}/.test(english));

/** Fills the nesting entries into each other, until the text has this length. */
function nest(length: number, start: number): string {
  let text = 'no';
  for (let at = start; text.length < length; at += 1) {
    const english = nesting[at % nesting.length] ?? '';
    const [, name = ''] = /\{(\w+):(?:text|list)\}/.exec(english) ?? [];
    text = fill(english, 0, { [name]: text });
  }
  return text.slice(0, LONGEST);
}

test.each([
  ['sentences that are entries in many ways', MANY_WAYS.repeat(9)],
  ['as many such sentences as a text may have', MANY_WAYS.repeat(12)],
  ['messages in each other', 'pl1-7 is held: '.repeat(650)],
  ['sentences in messages in each other', 'pl1-7 is held: a b c. '.repeat(23)],
  ['lists in each other', `Not printed by Platen: ${'a; b, c and d or e; '.repeat(490)}.`],
  ...[0, 20, 40, 60, 80, 100].flatMap((start) => [
    [`all kinds of messages in each other from ${start}`, nest(950, start)],
    [`all kinds of messages in each other from ${start}, as long as possible`, nest(LONGEST, start)],
  ]),
])('a text that others chose costs a bounded number of steps: %s', (_, text) => {
  translateToGerman(KNOWN);
  const before = process.threadCpuUsage();
  const { steps } = translateToGerman(text);
  const { user } = process.threadCpuUsage(before);
  // The last part may begin with one step left.
  expect(steps).toBeLessThan(MAX_STEPS * 1.3);
  expect(user / 1000).toBeLessThan(MAX_CPU_MS);
});

test('the rest of a text that costs too many steps stays in English, and nothing of it is lost', () => {
  const hostile = MANY_WAYS.repeat(12).trim();
  const { text, untranslated, steps } = translateToGerman(`pl1-7 is held: ${hostile}`);
  expect(steps).toBeGreaterThanOrEqual(MAX_STEPS);
  expect(text).toMatch(/^pl1-7 ist angehalten: /);
  expect(text.match(/: e\./g)?.length).toBe(12);
  expect(untranslated).not.toEqual([]);
  // The next text has its own steps.
  expect(translateToGerman(KNOWN)).toMatchObject({ untranslated: [] });
});

test('other requests run while a response with many such texts is translated', async () => {
  let turns = 0;
  const running = setInterval(() => (turns += 1), 0);
  const timeline = Array.from({ length: 60 }, (_, index) => ({ message: `${MANY_WAYS.repeat(9)}${index}` }));
  const answer = { route: 'GET /api/orders/:id', status: 200, body: { timeline } };
  const translated = await translateInSlices(answer, (text) => translateToGerman(text).text);
  clearInterval(running);
  expect(turns).toBeGreaterThan(3);
  expect((translated as typeof answer.body).timeline.map(({ message }) => message.split(' ').at(-1))).toEqual(
    timeline.map((_, index) => String(index)),
  );
});
