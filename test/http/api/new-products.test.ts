import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { listen, type Endpoints } from '../../../src/http/server.ts';
import { openPrintStore, type PrintStoreWorld } from '../../products/store-products/print-store.ts';
import { addShop, readJobPayloads, callApi, refusal } from '../test-app.ts';

const TEMPLATE = '5eed0000-0000-4000-8003-000000000200';
let world: PrintStoreWorld;
let endpoints: Endpoints;

beforeAll(async () => {
  world = await openPrintStore();
  endpoints = await listen(world.app);
});
afterAll(async () => {
  await endpoints.close();
  await world.close();
});

const ask = (path: string, body?: unknown, of: Pick<Shop, 'domain'> = world.shop) =>
  callApi(endpoints.url, of, [body === undefined ? 'GET' : 'POST', `/store-products${path}`], body);

const asked = (more: Record<string, unknown> = {}) => ({
  templateId: TEMPLATE,
  storeId: world.storeId,
  title: 'Harbour Mug, new',
  imagePlaceholders: [{ name: 'ImageFront', fileUrl: 'https://files.example/mug.png' }],
  ...more,
});

test('a requested product is created by a job and shown only to its own shop', async () => {
  const { status, body } = await ask('', asked());
  expect(status).toBe(202);
  expect(body).toMatchObject({ title: 'Harbour Mug, new', state: 'waiting', askedBy: 'merchant', problem: null });
  expect(await readJobPayloads(world.app.db, 'make_new_product')).toEqual([{ newProductId: body['id'] }]);
  expect((await ask('', asked())).body['id']).toBe(body['id']);
  expect((await ask('/new')).body).toEqual({ newProducts: [body] });
  const other = await addShop(world.app.db);
  expect((await ask('/new', undefined, other)).body).toEqual({ newProducts: [] });
  expect(await ask('', asked(), other)).toMatchObject({ status: 409, body: { error: { code: 'no_print_account' } } });
});

test.each([
  [{ title: '' }, 'title'],
  [{ variants: [{ templateVariantId: 'none' }] }, 'variants[0].templateVariantId'],
  [{ storeId: '../other' }, 'storeId'],
  [{ tags: ['mug', '\0'] }, 'tags[1]'],
  [{ templateId: '\0' }, 'templateId'],
])('a request with %j is rejected, and the error names the field', async (more, field) => {
  expect(await ask('', asked(more))).toMatchObject({ status: 400, body: { error: { code: 'invalid_input', field } } });
});

test('a request with an unknown template gets 404', async () => {
  expect(await ask('', asked({ templateId: 'none' }))).toMatchObject(refusal(404, { code: 'not_found' }));
});

test('a request is rejected with a remedy while extendedCalls is off', async () => {
  await world.set({ extendedCalls: false });
  try {
    expect(await ask('', asked())).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'extended_calls_off',
          message: expect.stringContaining('My account can read, confirm and cancel orders'),
        },
      },
    });
  } finally {
    await world.set({ extendedCalls: true });
  }
});
