import { expect, test } from 'vitest';
import { describeRatesProblem } from '../../src/rates/rates-problems.ts';

test.each(['plan_refuses', 'not_in_profiles', 'store_refuses'])('%s is described with a message and steps', (code) => {
  expect(describeRatesProblem(code)?.message).toMatch(/\.$/);
  expect(describeRatesProblem(code)?.steps).toContain('Settings →');
});

test('an unknown code or null has no description', () => {
  expect(describeRatesProblem(null)).toBeNull();
  expect(describeRatesProblem('of_another_version')).toBeNull();
});
