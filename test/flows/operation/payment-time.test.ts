import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ settings: { delayMinutes: 0 } })), 60_000);
afterAll(() => platen.stop());

const rowOf = (id: string) => platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });

test('Platen stores the payment time that the store reports, even for an order that was paid after it was placed', async () => {
  const paid = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const createdAt = new Date(platen.app.clock.now().getTime() + 2_000 - 3_600_000).toISOString();
  await platen.app.db.query('update shops set takes_orders_from = $1 where id = $2', [createdAt, platen.shop.id]);
  const late = await platen.placeSkus({ 'POSTER-30X40': 1 }, { financialStatus: 'pending', createdAt });
  await platen.untilState(late.id, 'waiting');
  const before = platen.app.clock.now().getTime();
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(late.id)}/pay`, {});
  await platen.untilState(late.id, 'fulfilled');
  await platen.untilState(paid.id, 'fulfilled');
  await eventually(async () => (await rowOf(late.id)).paidAt).not.toBeNull();
  const row = await rowOf(late.id);
  expect(row.placedAt.getTime()).toBeLessThan(before - 3_000_000);
  // The store's times are in whole seconds.
  expect(row.paidAt?.getTime()).toBeGreaterThan(before - 1_000);
  const { paidAt, placedAt } = await rowOf(paid.id);
  expect(paidAt).toEqual(placedAt);
});
