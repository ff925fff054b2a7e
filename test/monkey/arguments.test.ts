import { expect, test } from 'vitest';
import { parseMonkeyArguments } from './arguments.ts';

test('a run without arguments plays 30 orders of 12 steps one after another, in all submit modes, with a random seed', () => {
  const { seed, ...rest } = parseMonkeyArguments([]);
  const ways = ['draft', 'direct', 'page-alone', 'mistaken'];
  expect(rest).toEqual({ orders: 30, steps: 12, ways, order: null, only: null, tries: 30, together: 1 });
  expect(parseMonkeyArguments([]).seed).not.toBe(seed);
});

test('the command printed for a failed order is parsed into the seed, number and steps of that order', () => {
  const given = ['--seed', '7', '--steps', '10', '--way', 'draft', '--order', '3', '--only', '2,5,9'];
  const parsed = parseMonkeyArguments(given);
  expect(parsed).toMatchObject({ seed: 7, steps: 10, ways: ['draft'], order: 3, only: [2, 5, 9] });
});

test.each([
  [['--orders', '0'], '--orders'],
  [['--steps', 'many'], '--steps'],
  [['--way', 'fax'], '--way'],
  [['--only', '1;2'], '--only'],
  [['--together', '4', '--only', '1'], '--only'],
  [['--oders', '4'], '--oders'],
])('the arguments %j are rejected with an error that names the invalid argument', (args, name) => {
  expect(() => parseMonkeyArguments(args)).toThrow(name);
});
