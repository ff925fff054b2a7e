import { expect, test } from 'vitest';
import { describeVariantCount } from '../../src/cli/describe-variant-count.ts';

test('one variant is named in the singular', () => {
  expect([0, 1, 2].map(describeVariantCount)).toEqual(['0 variants', '1 variant', '2 variants']);
});
