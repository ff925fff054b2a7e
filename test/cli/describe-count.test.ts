import { expect, test } from 'vitest';
import { describeCount } from '../../src/cli/describe-count.ts';

test('only a count of one uses the singular', () => {
  expect([0, 1, 2].map((count) => describeCount(count, 'variant'))).toEqual(['0 variants', '1 variant', '2 variants']);
  expect([1, 2].map((count) => describeCount(count, 'job', ['is', 'are']))).toEqual(['1 job is', '2 jobs are']);
});
