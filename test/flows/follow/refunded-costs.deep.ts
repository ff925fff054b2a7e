import { afterAll, beforeAll, expect, test } from 'vitest';
import { iterateCosts, type ListedCosts } from '../../../src/orders/costs/list-costs.ts';
import { act as byHand } from '../changes/manual-actions.ts';
import { startPlaten, type PlacedOrder, type Platen, type PrintedOrder } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ advanceSeconds: null })), 120_000);
afterAll(() => platen.stop());

async function costOf({ id }: PlacedOrder): Promise<ListedCosts | undefined> {
  for await (const row of iterateCosts(platen.app, platen.shop, { since: null, until: null }))
    if (row.orderId === id) return row;
  return undefined;
}

/** Places an order for two products. Returns the order, its order at the service, and its costs once the margin is known. */
async function placeTwoProducts(): Promise<{ order: PlacedOrder; service: PrintedOrder; before: ListedCosts }> {
  const order = await platen.placeSkus({ 'TSHIRT-M': 1, 'TSHIRT-S': 1 });
  await platen.untilState(order.id, 'printing');
  await eventually(async () => (await costOf(order))?.margin).toBeTruthy();
  const [service, before] = [(await platen.printedFor(order.name))[0], await costOf(order)];
  if (!service || !before) throw new Error('The order is missing.');
  return { order, service, before };
}

const act = (service: PrintedOrder, endpoint: 'refund' | 'advance', body: object) =>
  platen.control('print', 'POST', `/orders/${service.id}/${endpoint}`, body);
const toCents = (amount: string | undefined): number => Math.round(Number(amount) * 100);

test('a shipping refund by the print service lowers the cost and raises the margin', async () => {
  const { order, service, before } = await placeTwoProducts();
  await act(service, 'refund', { shipping: true });
  // The service sends no event about a refund. Platen learns of the refund when the order's next event triggers a reading.
  await act(service, 'advance', { to: 'passed' });
  await eventually(async () => (await costOf(order))?.charged?.shipping).toBe('0.00');
  const after = await costOf(order);
  expect(after?.charged).toMatchObject({ products: before.charged?.products, other: '0.00' });
  const saved = toCents(before.charged?.total) - toCents(after?.charged?.total);
  expect(saved).toBeGreaterThanOrEqual(toCents(before.charged?.shipping));
  expect(toCents(after?.margin?.amount) - toCents(before.margin?.amount)).toBe(saved);
});

test('an item that failed and was refunded adds nothing to the cost or to the amount paid', async () => {
  const { order, service, before } = await placeTwoProducts();
  const [failed] = service.items;
  const items = [failed?.itemReferenceId ?? ''];
  await act(service, 'refund', { items });
  await act(service, 'advance', { to: 'failed', items });
  const price = async () => toCents((await costOf(order))?.charged?.products);
  await eventually(price).toBeLessThan(toCents(before.charged?.products));
  await eventually(async () => toCents((await costOf(order))?.paid?.lines)).toBeLessThan(toCents(before.paid?.lines));
  expect(await costOf(order)).toMatchObject({ charged: { shipping: before.charged?.shipping }, unknown: null });
});

test('the cost is unknown while an item has failed and its refund has not been read yet', async () => {
  const { order, service, before } = await placeTwoProducts();
  const [failed] = service.items;
  const items = [failed?.itemReferenceId ?? ''];
  await act(service, 'advance', { to: 'failed', items });
  const open = { charged: null, margin: null, unknown: { code: 'charge_open' } };
  await eventually(() => costOf(order)).toMatchObject(open);
  await act(service, 'refund', { items });
  await byHand(platen, order, 'retry');
  await eventually(() => costOf(order)).toMatchObject({ unknown: null });
  expect(toCents((await costOf(order))?.charged?.products)).toBeLessThan(toCents(before.charged?.products));
});

test('a canceled and fully refunded order has no cost', async () => {
  const { order, service } = await placeTwoProducts();
  await act(service, 'refund', {});
  await act(service, 'advance', { to: 'canceled' });
  await eventually(() => costOf(order)).toMatchObject({
    charged: { products: '0.00', shipping: '0.00', tax: '0.00', total: '0.00', other: '0.00' },
    unknown: null,
  });
});

test('the cost of a canceled order is unknown until its refund is read, even if the refund arrives late', async () => {
  const { order, service } = await placeTwoProducts();
  await act(service, 'advance', { to: 'canceled' });
  const open = { charged: null, margin: null, unknown: { code: 'charge_open' } };
  await eventually(() => costOf(order)).toMatchObject(open);
  await platen.untilState(order.id, 'held');
  await act(service, 'refund', {});
  await byHand(platen, order, 'retry');
  await eventually(() => costOf(order)).toMatchObject({ charged: { total: '0.00' }, unknown: null });
});
