import { beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks, type PrintLink } from '../../../src/database/entities/products.ts';
import { createTestSessionToken } from '../../http/test-app.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { codesOf, untilCodes } from '../changes/manual-actions.ts';
import { eventually } from '../../helpers/eventually.ts';
import { inStore } from '../submit/submit-helpers.ts';

const MUG = 'MUG-11OZ';

let mug: PrintLink;

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  mug = await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku: MUG });
});
beforeEach(async () => {
  await platen.app.db.manager.delete(PrintLinks, { sku: MUG });
});

async function callApi(method: string, path: string, body?: object): Promise<number> {
  const { status } = await fetch(`${platen.url}/api/print-links${path}`, {
    method,
    headers: { Authorization: `Bearer ${createTestSessionToken(platen.shop.domain)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return status;
}

async function deleteVariant(variantId: string | null | undefined): Promise<void> {
  const digits = String(variantId).split('/').at(-1);
  const { ok } = await fetch(`${platen.storeUrl}/_control/variants/${digits}`, { method: 'DELETE' });
  expect(ok).toBe(true);
}

const printedFor = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).flatMap(({ items }) => items.map(({ productUid }) => productUid));
const values = () => ({ productUid: mug.productUid, fileUrl: mug.fileUrl });

async function placeHeld(): Promise<PlacedOrder> {
  const order = await platen.placeSkus({ [MUG]: 1 });
  await untilCodes(platen, order, ['no_print_link']);
  return order;
}

test('an order held for a missing print link is printed once when its variant gets a link', async () => {
  const order = await placeHeld();
  expect(await callApi('PUT', '', { variantId: order.lines[0]?.variantId, ...values() })).toBe(200);
  await eventually(() => printedFor(order)).toEqual([mug.productUid]);
  expect(await codesOf(platen, order)).toEqual([]);
  await platen.app.db.manager.delete(PrintLinks, { shopifyVariantId: mug.shopifyVariantId ?? '' });
});

test('an unsent order whose variant is deleted is held, and is printed once its SKU has a print link', async () => {
  const order = await platen.placeSkus({ CARDS: 1 }, { financialStatus: 'pending' });
  await eventually(() => platen.timeline(order.id)).toContain('waiting');
  const { productUid, fileUrl } = await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku: 'CARDS' });
  await deleteVariant(order.lines[0]?.variantId);
  await inStore(platen, order, 'pay');
  await untilCodes(platen, order, ['variant_deleted']);
  expect((await platen.listed(order.id)).holds[0]?.remedy).toContain('Choose "Link this SKU"');
  expect(await printedFor(order)).toEqual([]);
  expect(await callApi('PUT', '', { sku: 'CARDS', productUid, fileUrl })).toBe(200);
  await eventually(() => printedFor(order)).toEqual([productUid]);
  expect(await codesOf(platen, order)).toEqual([]);
});
