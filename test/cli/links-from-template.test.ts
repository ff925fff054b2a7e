import { expect, test } from 'vitest';
import { linksFromTemplate } from '../../src/cli/links-from-template.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const [ONE, OTHER] = ['https://files.example/one.pdf', 'https://files.example/other.pdf'];

test.each([
  [[ONE, OTHER], 'two for all variants'],
  [[ONE, `42=${ONE}`, `42=${OTHER}`], 'two for the variant 42'],
])('of several files for the same none is left out in silence: %j', async (files, message) => {
  const args = ['template', '1', '--shop', 'demo', ...files.flatMap((file) => ['--file', file])];
  const refused = linksFromTemplate(args);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(message);
});
