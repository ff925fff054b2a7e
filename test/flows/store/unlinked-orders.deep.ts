import { beforeAll, expect, test } from 'vitest';
import { PrintLinks, VariantConnections, type PrintLink } from '../../../src/database/entities/products.ts';
import { createFulfillment } from '../../../src/shopify/calls/fulfillments.ts';
import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { createTestSessionToken } from '../../http/test-app.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { codesOf } from '../changes/manual-actions.ts';
import { adminOf } from '../follow/place-at-service.ts';
import { inStore, stockAt } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const MUG = 'MUG-11OZ';

let link: PrintLink | undefined;

// No product of the shop is linked yet, and the stock is at the merchant's own location.
testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  const { manager } = platen.app.db;
  link = await manager.findOneByOrFail(PrintLinks, { sku: MUG });
  await manager.deleteAll(PrintLinks);
  await manager.deleteAll(VariantConnections);
  await stockAt(platen, MUG, 'own');
});

async function callApi(method: string, path: string, body?: object) {
  const answer = await fetch(`${platen.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${createTestSessionToken(platen.shop.domain)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const mugLink = () => ({
  variantId: link?.shopifyVariantId ?? '',
  productUid: link?.productUid ?? '',
  fileUrl: link?.fileUrl ?? null,
});

const page = async () =>
  (
    await (
      await fetch(`${platen.url}/?shop=${platen.shop.domain}`, {
        headers: { Authorization: `Bearer ${createTestSessionToken(platen.shop.domain)}` },
      })
    ).text()
  )
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
const unitsOf = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).flatMap(({ items }) => items.map(({ quantity }) => quantity));

/** Fulfills the whole order by hand in the store. */
async function fulfillByHand(order: PlacedOrder): Promise<void> {
  const admin = await adminOf(platen);
  const reading = await readOrderForPlan(admin, order.id, { withCustomer: false });
  const lineItemsByFulfillmentOrder = (reading?.fulfillmentOrders ?? []).map(({ id, lines }) => ({
    fulfillmentOrderId: id,
    fulfillmentOrderLineItems: lines.map((line) => ({ id: line.id, quantity: line.remainingQuantity })),
  }));
  await createFulfillment(admin, { lineItemsByFulfillmentOrder });
}

async function placeHeld(lines: Record<string, number>): Promise<PlacedOrder> {
  const order = await platen.placeSkus(lines);
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds.map(({ code }) => code)).toContain('not_linked');
  return order;
}

test('orders placed before their product was linked are listed once it is linked, and printed on request', async () => {
  const { variantId } = mugLink();
  const kept = await placeHeld({ [MUG]: 2 });
  const canceled = await placeHeld({ [MUG]: 1 });
  const refunded = await placeHeld({ [MUG]: 1 });
  const byHand = await placeHeld({ [MUG]: 1 });
  expect(await page()).toContain('4 orders are not printed because a product is not linked');
  expect(await callApi('POST', '/api/print-links/print', { variantId })).toMatchObject({
    status: 409,
    body: { error: { code: 'not_linked' } },
  });
  await inStore(platen, canceled, 'cancel');
  await inStore(platen, refunded, 'refund');
  await fulfillByHand(byHand);

  // Orders that have been canceled, refunded or fulfilled by hand no longer wait.
  await eventually(async () => (await callApi('GET', '/api/print-links/waiting')).body['orders']).toEqual({
    notLinked: 1,
    linked: 0,
  });
  const saved = await callApi('PUT', '/api/print-links', mugLink());
  expect(saved).toMatchObject({ status: 200, body: { variantId, waiting: { orders: 1 } } });
  await untilIdle(platen.app);
  // A change to the order causes a new plan, but the plan prints nothing until the merchant requests it.
  await inStore(platen, kept, 'edit', { shippingLine: { title: 'Express', code: 'express', price: '9.00' } });
  await untilIdle(platen.app);
  expect([await codesOf(platen, kept), await unitsOf(kept)]).toEqual([['not_linked'], []]);
  const dry = await callApi('POST', '/api/print-links/print', { variantId, dryRun: true });
  expect(dry.body).toMatchObject({ dryRun: true, since: expect.any(String) });
  expect((dry.body['found'] as { name: string }[]).map(({ name }) => name)).toEqual([kept.name]);
  expect(await page()).toMatch(/orders? (?:is|are) waiting for your decision because/);
  expect(await callApi('POST', '/api/print-links/print', { variantId })).toMatchObject({ status: 202 });
  await eventually(() => unitsOf(kept)).toEqual([2]);
  await callApi('POST', '/api/print-links/print', { variantId });
  await untilIdle(platen.app);
  expect([await unitsOf(kept), await unitsOf(canceled), await unitsOf(refunded)]).toEqual([[2], [], []]);
  expect(await unitsOf(byHand)).toEqual([]);
  expect(await codesOf(platen, kept)).toEqual([]);
  // New orders for the linked product are printed without a request by the merchant.
  const next = await platen.placeSkus({ [MUG]: 1 });
  await eventually(() => unitsOf(next)).toEqual([1]);
  expect(await platen.timeline(kept.id)).toContain('print_unlinked');
});
