import { expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/errors.ts';
import { fillTemplate, parseProductRequest } from '../../../src/products/new-products/fill-template.ts';
import type { TemplateFacts } from '../../../src/products/templates/save-template.ts';

const place = (name: string) => ({ name, printArea: 'front', height: null, width: null });
const template: TemplateFacts = {
  templateId: 't',
  title: 'Shirt',
  description: null,
  variants: [
    {
      templateVariantId: 's',
      title: 'S',
      productUid: 'shirt-s',
      options: [],
      imagePlaceholders: [place('Front'), place('Back')],
      textPlaceholders: [{ name: 'Name', text: 'Your name' }],
    },
    {
      templateVariantId: 'm',
      title: 'M',
      productUid: 'shirt-m',
      options: [],
      imagePlaceholders: [place('Front')],
      textPlaceholders: [],
    },
  ],
};
const front = { name: 'Front', fileUrl: 'https://files.example/front.png' };
const back = { name: 'Back', fileUrl: 'https://files.example/back.png' };
const fill = async (input: Record<string, unknown>) =>
  fillTemplate(template, await parseProductRequest({ templateId: 't', title: 'Harbour', ...input }));

async function fieldOf(act: () => unknown): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.field;
  }
}

test('a value for all variants fills each placeholder, and a value for one variant takes precedence', async () => {
  const own = { ...front, fileUrl: 'https://files.example/m.png', fitMethod: 'meet' };
  const filled = await fill({
    tags: ['harbour'],
    imagePlaceholders: [front, back],
    textPlaceholders: [{ name: 'Name', text: 'Ahoy' }],
    variants: [{ templateVariantId: 'm', imagePlaceholders: [own] }],
  });
  expect(filled).toEqual({
    templateId: 't',
    title: 'Harbour',
    tags: ['harbour'],
    variants: [
      { templateVariantId: 's', imagePlaceholders: [front, back], textPlaceholders: [{ name: 'Name', text: 'Ahoy' }] },
      { templateVariantId: 'm', imagePlaceholders: [own] },
    ],
  });
});

test.each([
  ['a placeholder without a file', { imagePlaceholders: [front] }, 'imagePlaceholders'],
  [
    'an unknown placeholder',
    { imagePlaceholders: [front, back, { ...front, name: 'Sleeve' }] },
    'imagePlaceholders[2].name',
  ],
  [
    'a placeholder of another variant',
    { imagePlaceholders: [front, back], variants: [{ templateVariantId: 'm', imagePlaceholders: [back] }] },
    'variants[0].imagePlaceholders[0].name',
  ],
  ['a repeated placeholder', { imagePlaceholders: [front, back, front] }, 'imagePlaceholders[2].name'],
  [
    'an unknown text',
    { imagePlaceholders: [front, back], textPlaceholders: [{ name: 'Motto', text: '' }] },
    'textPlaceholders[0].name',
  ],
  [
    'an unknown variant',
    { imagePlaceholders: [front, back], variants: [{ templateVariantId: 'xl' }] },
    'variants[0].templateVariantId',
  ],
  [
    'a repeated variant',
    { imagePlaceholders: [front, back], variants: [{ templateVariantId: 'm' }, { templateVariantId: 'm' }] },
    'variants[1].templateVariantId',
  ],
  ['a missing title', { title: ' ' }, 'title'],
  [
    'a file URL that does not use https',
    { imagePlaceholders: [{ ...front, fileUrl: 'http://files.example/a.png' }] },
    'imagePlaceholders[0].fileUrl',
  ],
  ['fourteen tags', { tags: Array.from({ length: 14 }, (_, index) => `tag${index}`) }, 'tags'],
  ['a long tag', { tags: ['x'.repeat(256)] }, 'tags[0]'],
  ['an unknown field', { price: 12 }, 'price'],
])('%s is refused, and the error names the field', async (_what, input, field) => {
  expect(await fieldOf(() => fill(input))).toBe(field);
});

test('a request has at most 2,048 entries in a list and 10,000 in all lists, and the error names the list', async () => {
  const text = { name: 'Text', text: 'x' };
  const many = (count: number) => Array.from({ length: count }, () => text);
  expect(await fieldOf(() => parseProductRequest({ templateId: 't', title: 'x', textPlaceholders: many(2_049) }))).toBe(
    'textPlaceholders',
  );
  const variants = Array.from({ length: 6 }, (_, index) => ({
    templateVariantId: String(index),
    textPlaceholders: many(2_000),
  }));
  expect(await fieldOf(() => parseProductRequest({ templateId: 't', title: 'x', variants }))).toBe(
    'variants[4].textPlaceholders',
  );
});
