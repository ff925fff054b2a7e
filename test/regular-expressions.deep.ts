import { expect, test } from 'vitest';
import { checkRegularExpression } from './check-regular-expression.ts';
import { collectRegularExpressions } from './collect-regular-expressions.ts';

const atTheEndpoints = collectRegularExpressions(['print', 'http', 'inbox']);

test('a pattern that runs in quadratic time is detected', () => {
  expect(checkRegularExpression('^.+@[^"-].+$', '')).toMatch(/^vulnerable/);
});

test('no regular expression is built from external text', () => {
  expect(collectRegularExpressions(['', '../sandbox']).made).toEqual([]);
});

test('the length of a string is checked before a pattern is applied to the string', () => {
  expect(atTheEndpoints.uncapped).toEqual([]);
});

test.each(atTheEndpoints.literals)('the pattern in $places runs in linear time', ({ pattern, flags }) => {
  expect(checkRegularExpression(pattern, flags)).toBe('safe');
});
