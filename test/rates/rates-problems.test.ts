import { expect, test } from 'vitest';
import { describeRatesProblem } from '../../src/rates/rates-problems.ts';

test.each(['plan_refuses', 'not_in_profiles', 'store_refuses'])('the problem %s has a message and steps', (code) => {
  expect(describeRatesProblem(code)?.message).toMatch(/\.$/);
  expect(describeRatesProblem(code)?.steps).toContain('Settings →');
});

test('an unknown problem code and null have no description', () => {
  expect(describeRatesProblem(null)).toBeNull();
  expect(describeRatesProblem('of_another_version')).toBeNull();
});
