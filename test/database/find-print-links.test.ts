import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPrintLinks } from '../../src/database/find-print-links.ts';
import { PrintLinks } from '../../src/database/entities/products.ts';
import { addShop } from '../http/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

test('a variant uses its own link, or otherwise the link of its SKU, and never a link of another shop', async () => {
  const { db } = database;
  const [shop, other] = [await addShop(db), await addShop(db)];
  await db.manager.insert(PrintLinks, [
    { shopId: shop.id, shopifyVariantId: 'a', sku: 'MUG', productUid: 'own' },
    { shopId: shop.id, shopifyVariantId: null, sku: 'MUG', productUid: 'by SKU' },
    { shopId: shop.id, shopifyVariantId: 'z', sku: 'CUP', productUid: 'of another variant' },
    { shopId: other.id, shopifyVariantId: 'e', productUid: 'theirs' },
    { shopId: other.id, shopifyVariantId: null, sku: 'POSTER', productUid: 'theirs' },
  ]);
  const variants = [
    { id: 'a', sku: 'MUG' },
    { id: 'b', sku: ' MUG ' },
    { id: 'c', sku: 'mug' },
    { id: 'd', sku: 'CUP' },
    { id: 'e', sku: 'POSTER' },
    { id: 'f', sku: null },
    { id: 'g', sku: '' },
  ];
  const found = await findPrintLinks(db.manager, shop, variants);
  expect([...found].map(([id, { productUid }]) => [id, productUid])).toEqual([
    ['a', 'own'],
    ['b', 'by SKU'],
  ]);
  expect(await findPrintLinks(db.manager, shop, [])).toEqual(new Map());
});
