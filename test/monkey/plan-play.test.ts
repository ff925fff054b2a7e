import { expect, test } from 'vitest';
import { planPlay, type WayName } from './plan-play.ts';

const ways: WayName[] = ['draft', 'direct'];
const wordsOf = (seed: number, index: number, steps: number) => {
  const { steps: planned, ...order } = planPlay(seed, index, { steps, ways });
  return { order, words: planned.map(({ words }) => words) };
};

test('the same seed and number always result in the same plan for an order', () => {
  expect(wordsOf(7, 3, 20)).toEqual(wordsOf(7, 3, 20));
  expect(wordsOf(7, 3, 20)).not.toEqual(wordsOf(8, 3, 20));
  expect(wordsOf(7, 3, 20)).not.toEqual(wordsOf(7, 4, 20));
});

test('a shorter run has the same steps as the start of a longer run', () => {
  const { order, words } = wordsOf(7, 3, 20);
  expect(wordsOf(7, 3, 5)).toEqual({ order, words: words.slice(0, 5) });
});

test('a run with many steps includes every kind of order change', () => {
  const words = Array.from({ length: 60 }, (_, index) => wordsOf(1, index, 30).words)
    .flat()
    .join('\n');
  for (const part of [
    'is paid',
    'taken out',
    'refunded',
    'split',
    'merged',
    'moved',
    'by hand',
    'approve',
    'print-again',
  ])
    expect(words).toContain(part);
  for (const part of ['fails', 'without tracking', 'takes effect late', 'are lost', 'two days pass', 'dashboard'])
    expect(words).toContain(part);
});
