import { expect, test } from 'vitest';
import { checkRegularExpression } from './check-regular-expression.ts';
import { collectRegularExpressions } from './collect-regular-expressions.ts';

const atTheDoors = collectRegularExpressions(['print', 'http', 'inbox']);

test.each(atTheDoors.literals)('the pattern of $places takes linear time', ({ pattern, flags }) => {
  expect(checkRegularExpression(pattern, flags)).toBe('safe');
});

test('a pattern that takes quadratic time would be noticed', () => {
  expect(checkRegularExpression('^.+@[^"-].+$', '')).toMatch(/^vulnerable/);
});

test('no regular expression is made of a text that somebody else writes', () => {
  expect(collectRegularExpressions(['', '../sandbox']).made).toEqual([]);
});

test('a text is measured before a pattern reads it', () => {
  expect(atTheDoors.uncapped).toEqual([]);
});
