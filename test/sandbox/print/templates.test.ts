import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../helpers/eventually.ts';
import { startService } from './service.ts';
import { expectReadInFull, startWithStoreEvents } from './store-events.ts';

const templateSchema = z.looseObject({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  previewUrl: z.string(),
  variants: z.array(z.looseObject({ id: z.string(), title: z.string() })),
});

const SHIRT = {
  title: 'Crewneck',
  description: '<p>A shirt.</p>',
  variants: [
    {
      title: 'White - M',
      productUid: 'apparel_m',
      variantOptions: [{ name: 'Size', value: 'M' }],
      imagePlaceholders: [{ name: 'ImageFront', printArea: 'front', height: 137.25, width: 244 }],
      textPlaceholders: [{ name: 'Text', text: 'My Text' }],
    },
    { title: 'White - L', productUid: 'apparel_l' },
  ],
};

test('creating, changing and deleting a template each send a complete event', async () => {
  const { client, bodies } = await startWithStoreEvents();
  const made = templateSchema.parse(await client.ok('POST', '/_control/templates', SHIRT));
  await eventually(bodies).toHaveLength(1);
  const [first] = made.variants;
  const changed = templateSchema.parse(
    await client.ok('POST', `/_control/templates/${made.id}`, {
      title: 'Crewneck, heavy',
      variants: [{ ...SHIRT.variants[0], id: first?.id, title: 'White - S' }],
    }),
  );
  await eventually(bodies).toHaveLength(2);
  await client.ok('DELETE', `/_control/templates/${made.id}`);
  await eventually(bodies).toHaveLength(3);

  expect(bodies().map(({ event }) => event)).toEqual([
    'store_product_template_created',
    'store_product_template_updated',
    'store_product_template_deleted',
  ]);
  for (const body of bodies()) expectReadInFull(body);
  expect(bodies()[0]).toMatchObject({ storeProductTemplateId: made.id, ...SHIRT });
  expect(bodies()[1]).toMatchObject({
    storeProductTemplateId: made.id,
    title: 'Crewneck, heavy',
    description: SHIRT.description,
    variants: [{ id: first?.id, title: 'White - S' }],
  });
  expect(bodies()[2]).toEqual({
    id: bodies()[2]?.id,
    event: 'store_product_template_deleted',
    storeProductTemplateId: made.id,
  });
  expect(changed.variants).toHaveLength(1);
  const left = z.array(templateSchema).parse(await client.ok('GET', '/_control/templates'));
  expect(left.map(({ id }) => id)).not.toContain(made.id);
});

test('a template can be read by ID only by its own account, with a new preview URL at each read', async () => {
  const client = await startService();
  const made = templateSchema.parse(await client.ok('POST', '/_control/templates', SHIRT));
  const path = `/v1/templates/${made.id}`;
  const first = templateSchema.omit({ key: true }).parse(await client.ok('GET', path));
  expect(first).toMatchObject({ id: made.id, title: 'Crewneck', templateName: 'Crewneck', variants: made.variants });
  const second = templateSchema.omit({ key: true }).parse(await client.ok('GET', path));
  expect(second.previewUrl).not.toBe(first.previewUrl);
  expect(await client.refused('GET', '/v1/templates/none')).toMatchObject({ status: 404 });
  const theirs = templateSchema.parse(
    await client.ok('POST', '/_control/templates', { ...SHIRT, key: 'sandbox-key-other' }),
  );
  expect(await client.refused('GET', `/v1/templates/${theirs.id}`)).toMatchObject({ status: 404 });
});
