import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { markChangedVariants } from '../../../src/products/variant-sync/mark-due.ts';
import { deleteLink } from '../../../src/products/links/delete-link.ts';
import { parseLink } from '../../../src/products/links/parse-link.ts';
import { saveLinks } from '../../../src/products/links/save-links.ts';
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
