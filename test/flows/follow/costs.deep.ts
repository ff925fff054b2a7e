import { expect, test } from 'vitest';
import { iterateCosts, type ListedCosts } from '../../../src/orders/costs/list-costs.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

/**
 * Places an order for two posters at 20.00 each, with a discount of 4.00 and included tax of 3.00. Shipping is 5.00, with included tax of
 * 0.50.
 */
async function placePosters(): Promise<PlacedOrder> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const variantId = variants.find(({ sku }) => sku === 'POSTER-30X40')?.variantId;
  return platen.placeOrder({
    lines: [{ variantId, quantity: 2, price: '20.00', discount: '4.00', tax: '3.00' }],
    taxesIncluded: true,
    shippingLine: { title: 'Standard', code: 'standard', price: '5.00', tax: '0.50' },
  });
}

/**
 * The buyer paid 33.00, plus 4.50 for shipping. The service charges 2 × 8.95, plus 4.71 for shipping (4.28 plus 1.50 per kilogram for 289
 * g), which is 24.64 with 9% tax. The margin is 12.86 of 37.50.
 */
const POSTERS_MARGIN = { amount: '12.86', currency: 'USD', percent: '34.3' };

async function costOf({ id }: PlacedOrder): Promise<ListedCosts | undefined> {
  for await (const row of iterateCosts(platen.app, platen.shop, { since: null, until: null }))
    if (row.orderId === id) return row;
  return undefined;
}
const untilCost = (order: PlacedOrder, cost: object) => eventually(() => costOf(order)).toMatchObject(cost);

test('an order’s margin is the amount paid without taxes minus the print service’s charge, and a refund reduces the amount paid', async () => {
  const order = await placePosters();
  await untilCost(order, { margin: POSTERS_MARGIN, order: order.name, unknown: null });
  const [atService] = (await platen.printedFor(order.name)) as unknown as {
    receipts: { totalInclVat: number; totalVat: number }[];
  }[];
  const receipt = atService?.receipts[0];
  const row = await costOf(order);
  expect(row).toMatchObject({
    charged: { currency: 'USD', total: receipt?.totalInclVat.toFixed(2), tax: receipt?.totalVat.toFixed(2) },
    paid: { currency: 'USD', lines: '33.00', shipping: '4.50', adjustment: '0.00', total: '37.50' },
    quoted: { currency: 'USD', products: row?.charged?.products, shipping: row?.charged?.shipping },
  });
  const refund = (body: object) =>
    platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/refund`, body);
  await refund({ lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilCost(order, { paid: { lines: '16.50', shipping: '4.50', adjustment: '0.00', total: '21.00' } });
  await refund({ shipping: '5.00' });
  await untilCost(order, { paid: { lines: '16.50', shipping: '0.00', total: '16.50' } });
  await refund({ amount: '2.00' });
  await untilCost(order, { paid: { lines: '16.50', adjustment: '-2.00', total: '14.50' } });
});
