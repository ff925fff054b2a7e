import { expect, test } from 'vitest';
import { describeCount } from '../../src/cli/describe-count.ts';

test('only a count of one uses the singular', () => {
  expect([0, 1, 2].map((count) => describeCount(count, 'variant'))).toEqual(['0 variants', '1 variant', '2 variants']);
  const verbs = ['is', 'are'] as const;
  expect([0, 1, 2].map((count) => describeCount(count, 'job', verbs))).toEqual([
    '0 jobs are',
    '1 job is',
    '2 jobs are',
  ]);
});
