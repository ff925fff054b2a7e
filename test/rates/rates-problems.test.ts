import { expect, test } from 'vitest';
import { describeRatesProblem } from '../../src/rates/rates-problems.ts';

test.each(['plan_refuses', 'not_in_profiles', 'store_refuses'])(
  '%s is told with what it means and the steps',
  (code) => {
    expect(describeRatesProblem(code)?.message).toMatch(/\.$/);
    expect(describeRatesProblem(code)?.steps).toContain('Settings →');
  },
);

test('what is no problem is not told', () => {
  expect(describeRatesProblem(null)).toBeNull();
  expect(describeRatesProblem('of_another_version')).toBeNull();
});
