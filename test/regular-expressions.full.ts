import { expect, test } from 'vitest';
import { checkRegularExpression } from './check-regular-expression.ts';
import { collectRegularExpressions } from './collect-regular-expressions.ts';

const { literals } = collectRegularExpressions(['', '../sandbox']);

test.each(literals)('the pattern in $places runs in linear time', ({ pattern, flags }) => {
  expect(checkRegularExpression(pattern, flags)).toBe('safe');
});

test('the source contains regular expressions', () => {
  expect(literals.length).toBeGreaterThan(50);
});
