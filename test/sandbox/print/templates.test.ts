import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, startService } from './service.ts';
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
  const { client, received } = await startWithStoreEvents();
  const made = templateSchema.parse(await client.ok('POST', '/_control/templates', SHIRT));
  await eventually(() => received).toHaveLength(1);
  const [first] = made.variants;
  const changed = templateSchema.parse(
    await client.ok('POST', `/_control/templates/${made.id}`, {
      title: 'Crewneck, heavy',
      variants: [{ ...SHIRT.variants[0], id: first?.id, title: 'White - S' }],
    }),
  );
  await eventually(() => received).toHaveLength(2);
  await client.ok('DELETE', `/_control/templates/${made.id}`);
  await eventually(() => received).toHaveLength(3);

  expect(received.map(({ event }) => event)).toEqual([
    'store_product_template_created',
    'store_product_template_updated',
    'store_product_template_deleted',
  ]);
  for (const body of received) expectReadInFull(body);
  expect(received[0]).toMatchObject({ storeProductTemplateId: made.id, ...SHIRT });
  expect(received[1]).toMatchObject({
    storeProductTemplateId: made.id,
    title: 'Crewneck, heavy',
    description: SHIRT.description,
    variants: [{ id: first?.id, title: 'White - S' }],
  });
  expect(received[2]).toEqual({
    id: received[2]?.id,
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

test('without the extended calls, templates are not available', async () => {
  const client = await startService({ extended: false });
  const { id } = templateSchema.parse(await client.ok('POST', '/_control/templates', SHIRT));
  expect(await client.refused('GET', `/v1/templates/${id}`)).toMatchObject({ status: 404 });
});

test('template events have the fields and ID formats of the samples, even if the older style is requested', async () => {
  const { client, received } = await startWithStoreEvents({}, { style: 'object' });
  const { id } = templateSchema.parse(await client.ok('POST', '/_control/templates', SHIRT));
  await client.ok('DELETE', `/_control/templates/${id}`);
  await eventually(() => received).toHaveLength(2);
  const made = received.find(({ event }) => event === 'store_product_template_created');
  expect(Object.keys(made ?? {}).toSorted()).toEqual(
    [
      'id',
      'event',
      'storeProductTemplateId',
      'title',
      'description',
      'previewUrl',
      'createdAt',
      'updatedAt',
      'variants',
    ].toSorted(),
  );
  expect(made?.id).toMatch(/^sptc_[0-9a-f]+$/);
  expect(made?.['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
});

test("the events of a template go only to the template's account", async () => {
  const { client, received } = await startWithStoreEvents({}, { key: 'sandbox-key-other' });
  await client.ok('POST', '/_control/templates', SHIRT);
  await client.ok('POST', '/_control/templates', { ...SHIRT, key: 'sandbox-key-other', title: 'Theirs' });
  await eventually(() => received.map(({ title }) => title)).toEqual(['Theirs']);
});

test('a template without variants, with an unknown field or with an unknown ID is refused', async () => {
  const { client, received } = await startWithStoreEvents();
  const refusals = [
    await client.refused('POST', '/_control/templates', { ...SHIRT, variants: [] }),
    await client.refused('POST', '/_control/templates', { ...SHIRT, colour: 'white' }),
    await client.refused('POST', '/_control/templates/none', { title: 'x' }),
    await client.refused('DELETE', '/_control/templates/none'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
  await client.ok('POST', '/_control/templates', SHIRT);
  await eventually(() => received).toHaveLength(1);
});

test('a reset restores the seeded templates unchanged', async () => {
  const client = await startService();
  const seeded = z.array(templateSchema).parse(await client.ok('GET', '/_control/templates'));
  expect(seeded.length).toBeGreaterThan(1);
  expect(seeded.every(({ key }) => key === 'sandbox-key')).toBe(true);
  await client.ok('POST', '/_control/templates', SHIRT);
  for (const { id } of seeded) await client.ok('DELETE', `/_control/templates/${id}`);
  await client.ok('POST', '/_control/reset');
  const again = z.array(templateSchema).parse(await client.ok('GET', '/_control/templates'));
  expect(again.map(({ id, title, variants }) => ({ id, title, variants }))).toEqual(
    seeded.map(({ id, title, variants }) => ({ id, title, variants })),
  );
});
