import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { markChangedVariants } from '../../../src/products/variant-sync/mark-due.ts';
import { deleteLink } from '../../../src/products/links/delete-link.ts';
import { parseLink } from '../../../src/products/links/parse-link.ts';
import { saveLinks } from '../../../src/products/links/save-links.ts';
import { catchUpStoreVariants } from '../../../src/products/store-products/catch-up-store-variants.ts';
import { readProduct } from '../../../src/products/store-products/receive-product-change.ts';
import { openInStore, type InStoreWorld } from './synced-variants.ts';

let world: InStoreWorld;
beforeAll(async () => void (world = await openInStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

const SKUS = ['CARDS', 'MUG-11OZ', 'MUG-15OZ', 'TSHIRT-S'];

/** Connects all variants, gives those in `linked` a print link by SKU, and stocks the linked variants at the location. */
async function setUpChecked(linked: string[]): Promise<void> {
  await world.connect(SKUS);
  await world.app.db.query('delete from print_links');
  for (const sku of linked) await saveLink(sku);
  await world.set({ stockAtLocation: true });
  await world.workAll();
  expect(await due()).toEqual([]);
}

const saveLink = (sku: string, productUid = 'card') =>
  world.app.db.transaction((manager) =>
    saveLinks(world.app, manager, world.shop, [parseLink({ sku, productUid, fileUrl: 'https://files.example/a.pdf' })]),
  );

/** Marks changed variants as due, and returns the SKUs of the due variants. */
async function due(): Promise<string[]> {
  const { app, shop } = world;
  await markChangedVariants(app.db, shop, { stocks: true, hides: false }, app.clock.now());
  const rows = await Promise.all(SKUS.map((sku) => world.row(sku)));
  return SKUS.filter((_, at) => rows[at]?.dueAt !== null);
}

test('saving, changing or deleting a print link for a SKU makes only the variants with that SKU due', async () => {
  await setUpChecked(['MUG-11OZ']);
  await saveLink(' CARDS ');
  expect(await due()).toEqual(['CARDS']);
  await world.workAll();
  expect(await due()).toEqual([]);
  await saveLink('MUG-11OZ', 'another');
  expect(await due()).toEqual(['MUG-11OZ']);
  await world.workAll();
  await deleteLink(world.app, world.shop, { shopifyVariantId: null, sku: 'CARDS' });
  expect(await due()).toEqual(['CARDS']);
  expect(await world.callsOf(() => world.work())).toMatchObject({ VariantsForStocking: 1 });
  expect(await world.placesOf('CARDS', 'MUG-11OZ')).toEqual({ CARDS: ['own'], 'MUG-11OZ': ['own', 'service'] });
});

test.each([
  {
    by: 'a change of the product in the store',
    read: (shopifyProductId: string) => readProduct(world.app, { shopId: world.shop.id, shopifyProductId }),
  },
  { by: 'the poll', read: () => catchUpStoreVariants(world.app, world.shop) },
])('$by makes a variant due only if its SKU has changed since the last check', async ({ read }) => {
  await setUpChecked(['CARDS', 'MUG-11OZ']);
  const { app, shop } = world;
  const found = { shopId: shop.id, shopifyVariantId: world.idOf('CARDS') };
  await app.db.query('update variant_connections set checked_at = null');
  await catchUpStoreVariants(app, shop);
  expect(await due()).toEqual([]);
  const { shopifyProductId } = await app.db.manager.findOneByOrFail(VariantConnections, found);
  await app.db.query(`update variants_in_store set sku = 'OLD' where shopify_variant_id = $1`, [
    found.shopifyVariantId,
  ]);
  await app.db.query('update variant_connections set checked_at = null');
  await app.db.query('delete from graphile_worker._private_jobs');
  await read(shopifyProductId ?? '');
  expect(
    await app.db.query(`select from graphile_worker.jobs where key = $1`, [`keep_variants:${shop.id}`]),
  ).toHaveLength(1);
  expect(await due()).toEqual(['CARDS']);
});
