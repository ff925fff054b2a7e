import { expect, test } from 'vitest';
import { linksFromTemplate } from '../../src/cli/links-from-template.ts';
import { productsCreate } from '../../src/cli/products-create.ts';
import { toPairs } from '../../src/cli/to-pairs.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

test('each name has its value, with what follows the first equals sign', () => {
  expect(toPairs('image', ['Front=https://files.example/?a=1', 'Back=b'])).toEqual({
    Front: 'https://files.example/?a=1',
    Back: 'b',
  });
});

test.each([
  ['--image', ['Front=a', 'Back=c', 'Front=b'], '--image Front is given twice'],
  ['--text', ['Name=a', 'Name=a'], '--text Name is given twice'],
])('of two values for one placeholder none is left out in silence: %s %j', async (option, given, message) => {
  const args = ['template', '--shop', 'demo', '--title', 'Mug', ...given.flatMap((one) => [option, one])];
  const refused = productsCreate(args);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(message);
});

test('an option of a template has one name in the store', async () => {
  const args = ['template', '1', '--shop', 'demo', '--rename', 'Größe=Size', '--rename', 'Größe=Colour'];
  await expect(linksFromTemplate(args)).rejects.toThrow('--rename Größe is given twice');
});
