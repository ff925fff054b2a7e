import { expect, test } from 'vitest';
import { sayVariants } from '../../src/cli/say-variants.ts';

test('one variant is named in the singular', () => {
  expect([0, 1, 2].map(sayVariants)).toEqual(['0 variants', '1 variant', '2 variants']);
});
