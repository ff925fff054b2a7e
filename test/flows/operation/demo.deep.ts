import { beforeAll, expect, test } from 'vitest';
import { placeDemoOrders, type DemoOrder } from '../../../sandbox/demo.ts';
import type { PrintedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';

let placed: DemoOrder[];

testPlaten({ settings: { gatherSeconds: 1 } });
beforeAll(async () => {
  placed = await placeDemoOrders(platen.storeUrl);
  // The third order also has a line from the merchant's own stock. The order is `fulfilled` once its printed line is fulfilled.
  for (const { id } of placed) await platen.untilState(id, 'fulfilled');
});

/** Returns all tracking codes of an order at the print service. */
function codesOf(orders: PrintedOrder[]): string[] {
  const shipments = orders as unknown as { shipment: { packages: { trackingCode: string }[] } }[];
  return shipments.flatMap(({ shipment }) => shipment.packages.map(({ trackingCode }) => trackingCode)).toSorted();
}

test('the demo orders have one fulfillment for every printed line and none for the merchant’s own stock', async () => {
  const orders = await Promise.all(placed.map(({ id }) => platen.storeOrder(id)));
  const units = orders.map(({ fulfillments }) =>
    fulfillments.map(({ lines }) => lines.map(({ sku, quantity }) => `${quantity} ${sku}`).join()).toSorted(),
  );
  expect(units).toEqual([['1 POSTER-30X40'], ['1 TSHIRT-M', '2 MUG-11OZ'], ['1 POSTER-13X18']]);
  expect(orders[2]?.lines.map(({ sku }) => sku)).toEqual(['POSTER-13X18', 'VASE']);
  expect(orders[2]?.fulfillmentOrders.map(({ status }) => status).toSorted()).toEqual(['CLOSED', 'OPEN']);
  for (const { name, fulfillments } of orders) {
    const codes = fulfillments.flatMap(({ trackingCodes }) => trackingCodes);
    expect(codes.toSorted()).toEqual(codesOf(await platen.printedFor(name)));
    const links = fulfillments.flatMap(({ trackingUrls }) => trackingUrls);
    expect(links).toEqual(codes.map((code) => `https://tracking.example/${code}`));
    for (const fulfillment of fulfillments)
      expect(fulfillment).toMatchObject({ notifications: 1, trackingCodes: [expect.any(String)] });
  }
});

test('each demo order has one live print order, and a timeline with all steps from received to fulfilled', async () => {
  const live = (await platen.printed()).filter(({ orderType, deleted }) => orderType === 'order' && deleted !== true);
  expect(live).toHaveLength(placed.length);
  const way = ['received', 'planned', 'quoted', 'submitting', 'submitted', 'fulfilled'];
  for (const { id, name } of placed) {
    const { printOrders } = await platen.listed(id);
    const atService = await platen.printedFor(name);
    expect(printOrders).toMatchObject(
      atService.map((order) => ({
        reference: order.orderReferenceId,
        serviceOrderIds: [order.id],
        state: 'fulfilled',
      })),
    );
    const kinds = await platen.timeline(id);
    expect(kinds).toEqual(expect.arrayContaining([...way, 'shipped', 'tracking']));
    expect([...new Set(kinds)].filter((kind) => way.includes(kind))).toEqual(way);
    expect(kinds.filter((kind) => kind === 'submitted')).toHaveLength(1);
    expect(kinds).not.toContain('held');
  }
});
