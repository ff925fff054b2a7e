import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTitles } from '../../../src/products/store-products/read-titles.ts';
import { openPrintStore, type PrintStoreWorld } from './print-store.ts';

let world: PrintStoreWorld;
beforeAll(async () => void (world = await openPrintStore()));
afterAll(() => world.close());

const digits = (gid = ''): string => gid.split('/').at(-1) ?? '';
const addProduct = async (title: string, variants: object[], shop?: string) => {
  const made = await world.inStore<{ variants: { variantId: string }[] }>('/products', { title, variants, shop });
  return made.variants.map(({ variantId }) => digits(variantId));
};

const points = async (): Promise<number> => (await world.inStore<{ requested: number }>('/throttle')).requested;

test('the titles of 100 variants are read with one call, and a product’s only variant has the product’s title', async () => {
  const sizes = Array.from({ length: 99 }, (_, index) => ({ title: `Size ${index}`, sku: `SIZE-${index}` }));
  const caps = await addProduct('Cap', sizes);
  const [mug = ''] = await addProduct('Mug', [{ sku: 'ONLY-MUG' }]);
  const before = await points();
  const titles = await readTitles(world.app, world.shop, [...caps, mug]);
  expect((await points()) - before).toBe(200);
  expect(await world.inStore('/calls')).toMatchObject({ VariantTitles: 1 });
  expect(titles).toHaveLength(100);
  expect(titles).toContainEqual({ variantId: caps[98], title: 'Cap, Size 98' });
  expect(titles).toContainEqual({ variantId: mug, title: 'Mug' });
});

test('a variant that the store does not have is left out', async () => {
  const [mug = ''] = await addProduct('Mug', [{ sku: 'OTHER-MUG' }]);
  expect(await readTitles(world.app, world.shop, ['999999999', mug])).toEqual([{ variantId: mug, title: 'Mug' }]);
});
