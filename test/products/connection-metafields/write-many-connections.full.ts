import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { clearConnectionStatus } from '../../../src/products/connection-metafields/clear-connection-status.ts';
import { writeConnections } from '../../../src/products/connection-metafields/write-connections.ts';
import { createShopify } from '../../../src/shopify/client.ts';
import { openConnections, type Connected, type ConnectionWorld } from './connection-world.ts';
import { systemClock } from '../../../src/clock.ts';

const PRODUCTS = 500;
const VARIANTS_OF_EACH = 20;
const ALL = PRODUCTS * VARIANTS_OF_EACH + PRODUCTS;
const SET = 'SetProductMetafields';

let world: ConnectionWorld;
const variants: Connected[] = [];
beforeAll(async () => {
  world = await openConnections();
  await world.clear();
  for (let count = 0; count < PRODUCTS; count += 1) {
    const { id, variantIds } = await world.addProduct(`Product ${count}`, VARIANTS_OF_EACH);
    variants.push(...variantIds.map((variantId) => ({ id: variantId, productId: id })));
  }
}, 120_000);
afterAll(() => world.close());

/** Runs the job repeatedly until it fails. */
async function runAll(app: App): Promise<void> {
  for (let jobs = 0; jobs < PRODUCTS; jobs += 1) await writeConnections(app, { shopId: world.shop.id });
}

test('metafields of 10,000 variants are written and removed 25 per call, and an interrupted job resumes where it stopped', async () => {
  await world.connect(variants);
  // The process stops midway, during a call.
  const { config, log } = world.app;
  const dying = { ...world.app, shopify: createShopify({ clock: systemClock, ...config.shopify, log }) };
  const written = runAll(dying);
  await expect.poll(() => world.calls(SET), { timeout: 60_000, interval: 5 }).toBeGreaterThan(150);
  await dying.shopify.close();
  await expect(written).rejects.toThrow(/SetProductMetafields/);
  const whenItDied = await world.calls(SET);
  expect(whenItDied).toBeLessThan(ALL / 25);

  await world.write();
  const shown = await world.shown();
  expect(Object.keys(shown)).toHaveLength(ALL);
  expect(new Set(Object.values(shown))).toEqual(new Set(['connected', `${VARIANTS_OF_EACH} connected`]));
  // Only the interrupted call is made twice.
  expect(await world.calls(SET)).toBeLessThanOrEqual(ALL / 25 + 1);

  await world.write();
  expect(await world.calls(SET)).toBeLessThanOrEqual(ALL / 25 + 1);

  let pages = 1;
  while (!(await clearConnectionStatus(world.app, world.shop)).isDone) pages += 1;
  expect([pages, await world.shown()]).toEqual([Math.floor(ALL / 1_000) + 1, {}]);
  expect(await world.calls('DeleteProductMetafields')).toBe(ALL / 25);
}, 240_000);
