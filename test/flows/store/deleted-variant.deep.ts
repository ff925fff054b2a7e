import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks, type PrintLink } from '../../../src/database/entities/products.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterAll(() => platen.stop());

const holdsOf = async ({ id }: PlacedOrder) =>
  (await platen.listed(id).catch(() => null))?.holds.map(({ code, remedy }) => ({ code, remedy })) ?? null;
const printedFor = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).flatMap(({ items }) => items.map(({ productUid }) => productUid));

async function deleteVariant(variantId: string | null | undefined): Promise<void> {
  const digits = String(variantId).split('/').at(-1);
  const { ok } = await fetch(`${platen.storeUrl}/_control/variants/${digits}`, { method: 'DELETE' });
  expect(ok).toBe(true);
}

/** Places an unpaid order, deletes its variant, and then pays the order. */
async function payAfterVariantDeletion(sku: string): Promise<{ order: PlacedOrder; link: PrintLink }> {
  const link = await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku });
  const order = await platen.placeSkus({ [sku]: 1 }, { financialStatus: 'pending' });
  await eventually(() => platen.timeline(order.id).catch(() => [])).toContain('waiting');
  await deleteVariant(order.lines[0]?.variantId);
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/pay`);
  return { order, link };
}

test('an unsent order whose variant is deleted is held, and is printed once its SKU has a print link', async () => {
  const { order, link } = await payAfterVariantDeletion('MUG-11OZ');
  const remedy = expect.stringContaining('Choose "Link this SKU"');
  await eventually(() => holdsOf(order)).toEqual([{ code: 'variant_deleted', remedy }]);
  expect(await printedFor(order)).toEqual([]);
  const { productUid, fileUrl } = link;
  await saveLink(platen.app, platen.shop, { sku: 'MUG-11OZ', productUid, fileUrl });
  await eventually(() => printedFor(order)).toEqual([productUid]);
  await eventually(() => holdsOf(order)).toEqual([]);
});

test('a sent order whose variant is deleted is printed once and shipped', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  const [printed] = await platen.printedFor(order.name);
  await deleteVariant(order.lines[0]?.variantId);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'delivered' });
  await platen.untilState(order.id, 'fulfilled');
  expect(await holdsOf(order)).toEqual([]);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
});
