import { expect, test } from 'vitest';
import { checkRegularExpression } from './check-regular-expression.ts';
import { collectRegularExpressions } from './collect-regular-expressions.ts';

const atTheEndpoints = collectRegularExpressions(['print', 'http', 'inbox']);

test.each(atTheEndpoints.literals)('the pattern in $places runs in linear time', ({ pattern, flags }) => {
  expect(checkRegularExpression(pattern, flags)).toBe('safe');
});
