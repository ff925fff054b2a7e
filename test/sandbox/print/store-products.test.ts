import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SEEDED_STORE_ID } from '../../../sandbox/print/store-products/seed-stores.ts';
import { storeProductSchema, type StoreProduct } from '../../../src/print/current/store-products.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createHome, startService, type Client } from './service.ts';
import { connectStore, expectReadInFull, startWithStoreEvents } from './store-events.ts';

const PRODUCTS = `/v1/stores/${SEEDED_STORE_ID}/products`;
const ENDPOINT = `/_control/stores/${SEEDED_STORE_ID}/products`;
const CREATE = `${PRODUCTS}:create-from-template`;
const FILE = 'https://files.example/front.png';

const templatesSchema = z
  .array(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      variants: z.array(z.looseObject({ id: z.string(), title: z.string() })).min(2),
    }),
  )
  .min(1);

async function firstTemplate(client: Client) {
  const [template] = templatesSchema.parse(await client.ok('GET', '/_control/templates'));
  if (!template) throw new Error('the seed must have a template');
  return template;
}

/** Requests a product whose first variant has an image. */
async function fromTemplate(client: Client, fileUrl = FILE) {
  const template = await firstTemplate(client);
  const templateVariantId = template.variants[0]?.id ?? '';
  const variants = [{ templateVariantId, imagePlaceholders: [{ name: 'ImageFront', fileUrl }] }];
  return { template, request: { templateId: template.id, title: 'Harbour at night', variants } };
}

async function booked(client: Client, endpoint = ENDPOINT): Promise<StoreProduct[]> {
  return z.array(storeProductSchema).parse(await client.ok('GET', endpoint));
}

async function addProduct(client: Client, input: unknown): Promise<StoreProduct> {
  return storeProductSchema.parse(await client.ok('POST', ENDPOINT, input));
}

describe('reading a store product', () => {
  test('a seeded product is active and connected to a shop, and has a new preview URL at each read', async () => {
    const client = await startService();
    const calls = await connectStore(client.url);
    const [seeded] = await booked(client);
    const product = await calls.getStoreProduct(SEEDED_STORE_ID, seeded?.id ?? '');
    expect(product).toMatchObject({ status: 'active', storeId: SEEDED_STORE_ID, publishingErrorCode: null });
    expect(product.externalId).toMatch(/^\d{13}$/);
    expect(product.variants.length).toBeGreaterThan(1);
    for (const variant of product.variants) {
      expect(variant).toMatchObject({ productId: product.id, connectionStatus: 'connected' });
      expect(variant.externalId).toMatch(/^\d{14,}$/);
    }
    const again = await calls.getStoreProduct(SEEDED_STORE_ID, product.id);
    expect(again.previewUrl).toMatch(/^https:.*X-Amz-Expires=86400.*X-Amz-Signature=[0-9a-f]{64}$/);
    expect(again.previewUrl).not.toBe(product.previewUrl);
    expect({ ...again, previewUrl: '' }).toEqual({ ...product, previewUrl: '' });
  });

  test('without the extended calls, a product can be read, but not listed or created from a template', async () => {
    const client = await startService({ extended: false });
    const before = (await booked(client)).map(({ id }) => id);
    expect(await client.call('GET', `${PRODUCTS}/${before[0]}`)).toMatchObject({ status: 200 });
    const { request } = await fromTemplate(client);
    expect(await client.refused('GET', PRODUCTS)).toMatchObject({ status: 404 });
    expect(await client.refused('POST', CREATE, request)).toMatchObject({ status: 404 });
    expect((await booked(client)).map(({ id }) => id)).toEqual(before);
  });
});

describe('a product created from a template', () => {
  test('a product from a template is published automatically, with an event for each step', async () => {
    const { client, bodies } = await startWithStoreEvents({ advanceSeconds: 0.05 });
    const { template, request } = await fromTemplate(client);
    const calls = await connectStore(client.url);
    const answer = await calls.createStoreProductFromTemplate(SEEDED_STORE_ID, { ...request, tags: ['night'] });
    expect(answer).toMatchObject({
      storeId: SEEDED_STORE_ID,
      externalId: null,
      title: 'Harbour at night',
      description: template.description,
      status: 'created',
      tags: ['night'],
      publishedAt: null,
    });
    await eventually(bodies).toHaveLength(3);
    expect(
      bodies()
        .map(({ event, status }) => `${event} ${String(status)}`)
        .toSorted(),
    ).toEqual(['store_product_created created', 'store_product_updated active', 'store_product_updated publishing']);
    for (const body of bodies()) expectReadInFull(body);
    const active = bodies().find(({ status }) => status === 'active');
    const product = await calls.getStoreProduct(SEEDED_STORE_ID, answer.id);
    expect(active).toMatchObject({ storeProductId: product.id, externalId: product.externalId });
    expect(product.externalId).toMatch(/^\d{13,}$/);
    expect(product.publishedAt).not.toBeNull();
    expect(product.variants.map(({ title }) => title)).toEqual(template.variants.map(({ title }) => title));
    expect(product.variants.every((variant) => variant.connectionStatus === 'connected')).toBe(true);
    expect(new Set(product.variants.map((variant) => variant.externalId)).size).toBe(product.variants.length);
  });
});

describe('the control endpoints for store products', () => {
  test('creating, changing and deleting a product each send a complete event', async () => {
    const { client, bodies } = await startWithStoreEvents();
    const made = await addProduct(client, {
      title: 'Lighthouse',
      description: '<p>Tall.</p>',
      externalId: '7647344525468',
      productVariantOptions: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { title: 'S', externalId: '42533218025628' },
        { title: 'M', externalId: null, connectionStatus: 'not_connected' },
      ],
    });
    expect(made).toMatchObject({
      status: 'active',
      externalId: '7647344525468',
      variants: [
        { externalId: '42533218025628', connectionStatus: 'connected' },
        { externalId: null, connectionStatus: 'not_connected' },
      ],
    });
    await eventually(bodies).toHaveLength(1);
    const [, second] = made.variants;
    const change = {
      title: 'Lighthouse, red',
      status: 'publishing_error',
      publishingErrorCode: 'product_not_found',
      variants: [{ id: second?.id, connectionStatus: 'ignored' }],
    };
    await client.ok('POST', `/_control/store-products/${made.id}`, change);
    await eventually(bodies).toHaveLength(2);
    await client.ok('DELETE', `/_control/store-products/${made.id}`);
    await eventually(bodies).toHaveLength(3);

    for (const body of bodies()) expectReadInFull(body);
    expect(bodies()[0]).toMatchObject({
      event: 'store_product_created',
      storeProductId: made.id,
      storeId: SEEDED_STORE_ID,
      title: 'Lighthouse',
      productVariantOptions: [{ name: 'Size', values: ['S', 'M'] }],
    });
    expect(bodies()[0]?.id).toMatch(/^spc_[0-9a-f]+$/);
    expect(bodies()[0]?.['variants']).toEqual(
      made.variants.map(({ id, title, externalId, connectionStatus }) => ({ id, title, externalId, connectionStatus })),
    );
    expect(bodies()[1]).toMatchObject({
      event: 'store_product_updated',
      ...change,
      variants: [{ connectionStatus: 'connected' }, { connectionStatus: 'ignored' }],
    });
    expect(bodies()[2]).toEqual({ id: bodies()[2]?.id, event: 'store_product_deleted', storeProductId: made.id });
    expect(await client.refused('GET', `${PRODUCTS}/${made.id}`)).toMatchObject({ status: 404 });
  });

  test('stores and products survive a restart, and a reset restores the seeded stores and products', async () => {
    const home = await createHome();
    const first = await startService({ home });
    const seeded = (await booked(first)).map(({ id, externalId }) => [id, externalId]);
    const made = await addProduct(first, { title: 'Lighthouse' });
    await first.ok('DELETE', `/_control/store-products/${String(seeded[0]?.[0])}`);
    await first.ok('POST', '/_control/stores', {});
    await first.close();

    const second = await startService({ home });
    expect((await booked(second)).map(({ id }) => id)).toEqual([...seeded.slice(1).map(([id]) => id), made.id]);
    expect(await second.ok('GET', '/_control/stores')).toHaveLength(2);
    await second.ok('POST', '/_control/reset');
    expect((await booked(second)).map(({ id, externalId }) => [id, externalId])).toEqual(seeded);
    expect(await second.ok('GET', '/_control/stores')).toEqual([{ id: SEEDED_STORE_ID, key: 'sandbox-key' }]);
  });
});
