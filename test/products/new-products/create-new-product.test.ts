import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { NewProducts } from '../../../src/database/entities/new-products.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { requestNewProduct } from '../../../src/products/new-products/request-new-product.ts';
import { resumeNewProducts } from '../../../src/products/new-products/resume-new-products.ts';
import { parseProductRequest } from '../../../src/products/new-products/fill-template.ts';
import { listNewProducts } from '../../../src/products/new-products/list-new-products.ts';
import { createNewProduct } from '../../../src/products/new-products/create-new-product.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openPrintStore, type PrintStoreWorld, type ServiceProduct } from '../store-products/print-store.ts';

const TEMPLATE = '5eed0000-0000-4000-8003-000000000200';
const FILE = 'https://files.example/mug.png';
const CREATE = 'products:create-from-template';
let world: PrintStoreWorld;
let titles = 0;

beforeAll(async () => void (world = await openPrintStore()));
beforeEach(async () => {
  await world.clear();
  await world.app.db.query('delete from new_products');
  await world.set({ extendedCalls: true });
});
afterAll(() => world.close());

/** Requests a product with a unique title. */
async function ask(more: Record<string, unknown> = {}) {
  const title = `Harbour ${(titles += 1)}`;
  const input = {
    templateId: TEMPLATE,
    storeId: world.storeId,
    title,
    imagePlaceholders: [{ name: 'ImageFront', fileUrl: FILE }],
  };
  return requestNewProduct(world.app, world.shop, {
    asked: await parseProductRequest({ ...input, ...more }),
    by: 'merchant',
  });
}

const step = (id: string, app: App = world.app) => createNewProduct(app, { newProductId: id });
const shown = async () => (await listNewProducts(world.app, world.shop))[0];
async function atService(title: string): Promise<ServiceProduct[]> {
  const all = await world.inPrint<(ServiceProduct & { title: string })[]>(`/stores/${world.storeId}/products`);
  return all.filter((one) => one.title === title);
}
const fault = (kind: Record<string, unknown>) =>
  world.inPrint('/faults', [{ path: `/v1/stores/${world.storeId}/${CREATE}`, rate: 1, times: 1, ...kind }]);
const publish = (id: string, change: Record<string, unknown> = {}) =>
  world.changeProduct(id, { status: 'active', ...change });

test('a product is created once and followed until it is published', async () => {
  const asked = await ask();
  expect(asked).toMatchObject({ state: 'waiting', storeProductId: null });
  await step(asked.id);
  const [made, ...more] = await atService(asked.request.title);
  expect(more).toEqual([]);
  expect(await shown()).toMatchObject({ state: 'publishing', storeProductId: made?.id });
  await step(asked.id);
  expect(await shown()).toMatchObject({ state: 'publishing', finishedAt: null });
  await publish(made?.id ?? '');
  await step(asked.id);
  expect(await shown()).toMatchObject({ state: 'published', productId: expect.any(String), problem: null });
  expect(await readJobPayloads(world.app.db, 'read_store_product')).toMatchObject([{ storeProductId: made?.id }]);
  await step(asked.id);
  expect(await atService(asked.request.title)).toHaveLength(1);
});

test('a product that the service cannot publish fails with an error code, but can still be published later', async () => {
  const asked = await ask();
  await step(asked.id);
  const { id = '' } = (await atService(asked.request.title))[0] ?? {};
  await publish(id, { status: 'publishing_error', publishingErrorCode: 'unsupported_file_type' });
  await world.tell('store_product_updated', id);
  expect(await shown()).toMatchObject({
    state: 'failed',
    problem: { code: 'unsupported_file_type', message: expect.stringContaining('unsupported_file_type') },
  });
  await publish(id);
  await world.tell('store_product_updated', id);
  expect(await shown()).toMatchObject({ state: 'published', problem: null });
});

test('a repeated request returns the first request if the first request is not finished', async () => {
  const first = await ask({ title: 'Twice' });
  const second = await ask({ title: 'Twice' });
  expect(second.id).toBe(first.id);
  await step(first.id);
  await step(second.id);
  expect(await atService('Twice')).toHaveLength(1);
});

test('a product is found after a lost response and not created again', async () => {
  const asked = await ask();
  await fault({ kind: 'reset', effect: 'done' });
  await step(asked.id);
  expect(await shown()).toMatchObject({ state: 'sending', storeProductId: null });
  await step(asked.id);
  const [made, ...more] = await atService(asked.request.title);
  expect(more).toEqual([]);
  expect(await shown()).toMatchObject({ state: 'publishing', storeProductId: made?.id });
});

test('a request waits until the outcome of an earlier request with the same title is known', async () => {
  const lost = await ask({ title: 'Lost', tags: ['mug'] });
  await fault({ kind: 'status', status: 500, effect: 'none' });
  await step(lost.id);
  await world.inPrint('/faults', []);
  const next = await ask({ title: 'Lost', tags: ['poster'] });
  await step(
    next.id,
    withDelayedCreate(() => step(lost.id)),
  );
  const states = async () =>
    Object.fromEntries(
      (await listNewProducts(world.app, world.shop)).map(({ id, state, problem }) => [id, [state, problem?.code]]),
    );
  expect(await states()).toEqual({ [lost.id]: ['sending', undefined], [next.id]: ['waiting', undefined] });
  expect(await atService('Lost')).toEqual([]);
  world.later(901);
  for (const id of [lost.id, next.id]) await step(id);
  world.later(-901);
  expect(await states()).toEqual({ [lost.id]: ['failed', 'not_made'], [next.id]: ['publishing', undefined] });
  expect(await atService('Lost')).toHaveLength(1);
});

test('a create request is not repeated after a worker dies just after recording the attempt', async () => {
  const asked = await ask();
  await world.app.db.manager.update(
    NewProducts,
    { id: asked.id },
    { state: 'sending', idsBefore: [], attemptedAt: world.app.clock.now() },
  );
  await step(asked.id);
  expect(await atService(asked.request.title)).toEqual([]);
  expect(await shown()).toMatchObject({ state: 'sending' });
});

test("a request that the service refuses fails with the service's message", async () => {
  const asked = await ask();
  await world.app.db.query(`update new_products set request = jsonb_set(request, '{templateId}', '"none"')`);
  await step(asked.id);
  expect(await shown()).toMatchObject({
    state: 'failed',
    problem: { code: 'refused', message: expect.stringContaining('none') },
  });
});

test('a request that is not sent within a day fails, but a product that was created is followed even without extended calls', async () => {
  const late = await ask();
  world.later(86_401);
  await step(late.id);
  expect(await shown()).toMatchObject({ state: 'failed', problem: { code: 'print_service_unavailable' } });
  expect(await atService(late.request.title)).toEqual([]);
  const asked = await ask();
  await step(asked.id);
  await publish((await atService(asked.request.title))[0]?.id ?? '');
  await world.set({ extendedCalls: false });
  await step(asked.id);
  expect(await shown()).toMatchObject({ state: 'published' });
});

test('a request fails if the print key changes before it is sent', async () => {
  const asked = await ask();
  const { id: printAccountId } = await findOrCreatePrintAccount(world.app, 'sandbox-key-other');
  await world.app.db.manager.update(Shops, { id: world.shop.id }, { printAccountId });
  await step(asked.id);
  expect(await shown()).toMatchObject({ state: 'failed', problem: { code: 'other_print_key' } });
});

/** Returns the app with a create request whose response is delayed until `happens` has finished. */
function withDelayedCreate(happens: () => Promise<unknown>): App {
  const { print } = world.app;
  const withKey: App['print']['withKey'] = (key, options) => {
    const service = print.withKey(key, options);
    const { extended } = service;
    if (extended === 'unsupported') return service;
    const createStoreProductFromTemplate: typeof extended.createStoreProductFromTemplate = async (...args) => {
      const made = await extended.createStoreProductFromTemplate(...args);
      await happens();
      return made;
    };
    return { ...service, extended: { ...extended, createStoreProductFromTemplate } };
  };
  return { ...world.app, print: { ...print, withKey } };
}

test('the hourly poll enqueues a lost job again, but only once', async () => {
  const asked = await ask();
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await resumeNewProducts(world.app, world.shop.id);
  await resumeNewProducts(world.app, world.shop.id);
  expect(await readJobPayloads(world.app.db, 'make_new_product')).toEqual([{ newProductId: asked.id }]);
});

// The last test, because the response pauses the account's further requests.
test('after a 429 response, nothing was created and the create request is sent again later', async () => {
  const asked = await ask();
  await fault({ kind: 'status', status: 429, effect: 'none' });
  await step(asked.id);
  expect(await shown()).toMatchObject({ state: 'waiting', problem: null });
  expect(await atService(asked.request.title)).toEqual([]);
  expect(await readJobPayloads(world.app.db, 'make_new_product')).toEqual([{ newProductId: asked.id }]);
});
