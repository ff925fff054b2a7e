import { expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { linksFromTemplate } from '../../../src/cli/links/from-template.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

const [ONE, OTHER] = ['https://files.example/one.pdf', 'https://files.example/other.pdf'];

test.each([
  [[ONE, OTHER], '--file is given twice for all variants'],
  [[ONE, `42=${ONE}`, `42=${OTHER}`], '--file is given twice for the variant 42'],
])('two files for the same variants are rejected: %j', async (files, message) => {
  const options = { file: files, pages: undefined, rename: {}, 'dry-run': true, json: false };
  const refused = linksFromTemplate({ args: ['template', '1'], options }, {} as App, {} as Shop);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(message);
});
