import { expect, test } from 'vitest';
import { shrinkPlay } from './shrink-play.ts';

const needs =
  (...steps: number[]) =>
  async (only: readonly number[]): Promise<boolean> =>
    steps.every((step) => only.includes(step));
const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test('a failed order is reduced to the steps that reproduce its failure', async () => {
  expect(await shrinkPlay(TEN, 100, needs(3, 8))).toEqual([3, 8]);
  expect(await shrinkPlay(TEN, 100, needs(10))).toEqual([10]);
  expect(await shrinkPlay(TEN, 100, needs())).toEqual([]);
  expect(await shrinkPlay(TEN, 100, needs(...TEN))).toEqual(TEN);
});

test('the search for a shorter failing sequence stops after the given number of attempts', async () => {
  let tries = 0;
  const kept = await shrinkPlay(TEN, 4, async (only) => {
    tries += 1;
    return needs(3, 8)(only);
  });
  expect(tries).toBe(4);
  expect(kept).toEqual(expect.arrayContaining([3, 8]));
});
