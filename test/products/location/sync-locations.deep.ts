import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { deleteLink } from '../../../src/products/links/delete-link.ts';
import { saveLinks } from '../../../src/products/links/save-links.ts';
import { listVariantsInStore } from '../../../src/products/variant-sync/list-variants-in-store.ts';
import { planLocation } from '../../../src/products/location/plan-location.ts';
import { startLocationSync } from '../../../src/products/variant-sync/start-location-sync.ts';
import { settingsWithoutScope } from '../../../src/shops/tokens/scopes.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openInStore, type InStoreWorld } from '../variant-sync/synced-variants.ts';

let world: InStoreWorld;
beforeAll(async () => void (world = await openInStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

const DOMAIN = 'demo.myshopify.com';
const plan = async () => planLocation(world.app, await world.readShop());
const titles = (variants: { title: string }[]) => variants.map(({ title }) => title);

test('the location plan lists the variants to stock and changes nothing, and applying the plan stocks them', async () => {
  await world.connect(['MUG-11OZ', 'CARDS']);
  await world.connect(['MUG-15OZ'], 'not_connected');
  await world.connect(['TSHIRT-S'], 'ignored');
  const before = await plan();
  expect(titles(before.toStock).toSorted()).toEqual(['Harbour Cards', 'Harbour Mug, 11 oz']);
  expect(before).toMatchObject({ toUnstock: [], withoutRates: [], unchanged: 0, next: null });
  expect(await world.placesOf('MUG-11OZ', 'CARDS')).toEqual({ 'MUG-11OZ': ['own'], CARDS: ['own'] });
  expect(await world.callsOf(() => world.apply())).toMatchObject({ VariantsForStocking: 1, ToggleInventory: 1 });
  expect(await world.placesOf('MUG-11OZ', 'CARDS', 'MUG-15OZ', 'TSHIRT-S')).toEqual({
    'MUG-11OZ': ['own', 'service'],
    CARDS: ['own', 'service'],
    'MUG-15OZ': ['own'],
    'TSHIRT-S': ['own'],
  });
  expect(await plan()).toMatchObject({ toStock: [], toUnstock: [], unchanged: 2 });
  expect(await world.callsOf(() => world.apply())).not.toHaveProperty('ToggleInventory');
});

test('a variant that is no longer printed is unstocked, unless someone else stocked it at the location', async () => {
  await world.stock('CARDS', { location: 'service', beside: true });
  await world.connect(['MUG-11OZ', 'CARDS']);
  await world.apply();
  await world.connect(['MUG-11OZ', 'CARDS'], 'not_connected');
  expect(titles((await plan()).toUnstock)).toEqual(['Harbour Mug, 11 oz']);
  await world.apply();
  expect(await world.placesOf('MUG-11OZ', 'CARDS')).toEqual({ 'MUG-11OZ': ['own'], CARDS: ['own', 'service'] });
  expect(await world.row('MUG-11OZ')).toMatchObject({ stockedAt: null, locationProblem: null });
});

test("a variant stocked only at Platen's location stays there, with a problem, until it is stocked elsewhere", async () => {
  await world.connect(['MUG-11OZ']);
  await world.apply();
  await world.stock('MUG-11OZ', { location: 'service' });
  await world.connect(['MUG-11OZ'], 'ignored');
  await world.apply();
  expect(await world.placesOf('MUG-11OZ')).toEqual({ 'MUG-11OZ': ['service'] });
  const listed = await listVariantsInStore(world.app, world.shop, { onlyProblems: true });
  expect(listed).toMatchObject({ stocked: 1, problems: 1, due: 0 });
  expect(listed.variants[0]?.problem?.code).toBe('cannot_deactivate_from_only_location');
  await world.stock('MUG-11OZ', { location: 'own', beside: true });
  await world.apply();
  expect(await world.placesOf('MUG-11OZ')).toEqual({ 'MUG-11OZ': ['own'] });
  expect(await listVariantsInStore(world.app, world.shop)).toMatchObject({ stocked: 0, problems: 0, variants: [] });
});

/** Connects a variant without a SKU, which the store does not accept at a fulfillment service's location. */
async function connectWithoutSku(): Promise<string> {
  const made = await world.inStore<{ variants: { variantId: string }[] }>('/products', {
    title: 'Nameless',
    variants: [{}],
  });
  const shopifyVariantId = made.variants[0]?.variantId ?? '';
  const row = { shopId: world.shop.id, shopifyVariantId };
  await world.app.db.manager.insert(PrintLinks, { ...row, productUid: 'nameless' });
  await world.app.db.manager.insert(VariantConnections, { ...row, status: 'connected' });
  return shopifyVariantId;
}

test('a variant that the store refuses is listed with the reason and does not stop other variants', async () => {
  const shopifyVariantId = await connectWithoutSku();
  await world.connect(['MUG-11OZ']);
  await world.apply();
  expect(await world.placesOf('MUG-11OZ')).toEqual({ 'MUG-11OZ': ['own', 'service'] });
  const { variants } = await listVariantsInStore(world.app, world.shop, { onlyProblems: true });
  expect(variants).toMatchObject([
    { variantId: shopifyVariantId, title: 'Nameless', stockedAt: null, problem: { code: 'missing_sku' } },
  ]);
});

test.each([
  {
    of: 'a variant is not stocked at a location that is missing from its delivery profile',
    profile: { unassigned: ['service'] },
    scopes: [],
    isFound: true,
    problem: { code: 'no_rates' },
  },
  {
    of: 'a variant is not stocked at a location for which its delivery profile has no rates',
    profile: { withoutRates: ['service'] },
    scopes: ['read_shipping'],
    isFound: true,
    problem: { code: 'no_rates' },
  },
  {
    of: 'a variant is stocked at a location without rates if Platen may not read rates',
    profile: { withoutRates: ['service'] },
    scopes: [],
    isFound: false,
    problem: null,
  },
])('$of', async ({ profile, scopes, isFound, problem }) => {
  const { productId } = await world.inStore<{ productId: string }>(
    `/products/${world.idOf('CARDS').split('/').at(-1)}`,
    { tags: [] },
  );
  await world.inStore(`/shops/${DOMAIN}/profiles`, [
    { name: 'General' },
    { name: 'Paper', products: [productId], ...profile },
  ]);
  await world.inStore(`/shops/${DOMAIN}/scopes`, { grant: scopes, revoke: scopes.length ? [] : ['read_shipping'] });
  const granted = ['write_inventory', ...scopes].join(',');
  await world.app.db.query('update shop_tokens set scopes = $1', [granted]);
  await world.connect(['MUG-11OZ', 'CARDS']);
  const found = await plan();
  expect(found.ratesRead).toBe(scopes.length > 0);
  expect(found.profilesWithoutRates.map(({ name }) => name)).toEqual(isFound ? ['Paper'] : []);
  expect(found.withoutRates).toMatchObject(isFound ? [{ title: 'Harbour Cards', profile: 'Paper' }] : []);
  await world.apply();
  expect(await world.placesOf('MUG-11OZ', 'CARDS')).toEqual({
    'MUG-11OZ': ['own', 'service'],
    CARDS: isFound ? ['own'] : ['own', 'service'],
  });
  expect(await world.row('CARDS')).toMatchObject({ locationProblem: problem });
});

test('with stockAtLocation on, saving a link stocks its variant, and deleting the link unstocks the variant', async () => {
  await world.set({ stockAtLocation: true });
  const { app, shop } = world;
  const link = {
    shopifyVariantId: world.idOf('CARDS'),
    sku: null,
    productUid: 'cards',
    fileUrl: null,
    pageCount: null,
    envelopeProductUid: null,
    envelopesPerPiece: null,
  };
  await app.db.transaction((manager) => saveLinks(app, manager, shop, [link]));
  expect(await readJobPayloads(app.db, 'keep_variants')).toHaveLength(1);
  await world.work();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own', 'service'] });
  // Nothing has changed since the last job.
  expect(await world.callsOf(() => world.work())).toEqual({});
  await deleteLink(app, shop, { shopifyVariantId: link.shopifyVariantId, sku: null });
  await world.work();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own'] });
  expect(await world.callsOf(() => world.work())).toEqual({});
});

/** Moves the cards to a separate delivery profile that includes Platen's location but has no rates for it. */
async function removeCardRates(): Promise<void> {
  const { productId } = await world.inStore<{ productId: string }>(
    `/products/${world.idOf('CARDS').split('/').at(-1)}`,
    { tags: [] },
  );
  await world.inStore(`/shops/${DOMAIN}/profiles`, [
    { name: 'General' },
    { name: 'Paper', products: [productId], withoutRates: ['service'] },
  ]);
}

test.each([
  { of: 'is known to be revoked', isKnown: true },
  { of: 'turns out to be revoked', isKnown: false },
])(
  'if read_shipping $of, variants are stocked only when a person applies the plan, but are still removed automatically',
  async (one) => {
    await world.set({ stockAtLocation: true });
    await world.connect(['MUG-11OZ']);
    await world.work();
    await removeCardRates();
    if (one.isKnown) await world.allow('read_shipping', false);
    else await world.inStore(`/shops/${DOMAIN}/scopes`, { revoke: ['read_shipping'] });
    await world.connect(['MUG-11OZ'], 'ignored');
    await world.connect(['CARDS', 'MUG-15OZ']);
    for (let round = 0; round < 2; round += 1) await world.work();
    expect(await world.placesOf('MUG-11OZ', 'MUG-15OZ', 'CARDS')).toEqual({
      'MUG-11OZ': ['own'],
      'MUG-15OZ': ['own'],
      CARDS: ['own'],
    });
    const { variants } = await listVariantsInStore(world.app, world.shop, { onlyProblems: true });
    expect(variants.map(({ problem }) => problem?.code)).toEqual(['no_permission', 'no_permission']);
    expect(await settingsWithoutScope(world.app, await world.readShop())).toEqual([
      { setting: 'stockAtLocation', scope: 'read_shipping' },
    ]);
    expect(await world.callsOf(() => world.work())).toEqual({});
    await world.apply();
    expect(await world.placesOf('MUG-15OZ')).toEqual({ 'MUG-15OZ': ['own', 'service'] });
  },
);

test('a variant stocked by an interrupted job counts as stocked by Platen', async () => {
  await world.connect(['CARDS']);
  await world.inStore('/faults', [{ operation: 'ToggleInventory', rate: 1, kind: 'reset', effect: 'done', times: 1 }]);
  await startLocationSync(world.app, await world.readShop());
  await expect(world.work()).rejects.toMatchObject({ kind: 'network' });
  expect(await world.row('CARDS')).toMatchObject({ stockedAt: expect.any(Date), dueAt: expect.any(Date) });
  expect(await world.callsOf(() => world.work())).not.toHaveProperty('ToggleInventory');
  await world.connect(['CARDS'], 'ignored');
  await world.apply();
  expect(await world.placesOf('CARDS')).toEqual({ CARDS: ['own'] });
});
