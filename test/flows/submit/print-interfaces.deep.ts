import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPlaten, type Platen, type PrintedOrder } from '../../helpers/platen.ts';
import { liveOrders } from './earlier-interface.ts';
import { printOrdersOf } from './submit-helpers.ts';

const trackingCodesOf = (orders: PrintedOrder[]): string[] =>
  (orders as unknown as { shipment: { packages: { trackingCode: string }[] } }[])
    .flatMap(({ shipment }) => shipment.packages.map(({ trackingCode }) => trackingCode))
    .toSorted();

describe.each(['current', 'v2', 'v1'] as const)(
  'an order goes from payment to fulfillment through interface %s',
  (printInterface) => {
    let platen: Platen;

    beforeAll(async () => {
      platen = await startPlaten({
        advanceSeconds: 0.2,
        environment: { POLL_SECONDS: '2' },
        settings: { printInterface },
      });
    });
    afterAll(() => platen.stop());

    test('a mixed order is printed once for each reference and fulfilled with the service’s tracking codes', async () => {
      const { id } = await platen.placeSkus({ 'MUG-11OZ': 2, 'TSHIRT-M': 1, 'BOOK-28': 1, VASE: 1 });
      await platen.untilState(id, 'fulfilled');
      const { fulfillments } = await platen.storeOrder(id);
      const units = fulfillments.flatMap(({ lines }) => lines.map(({ sku, quantity }) => `${quantity} ${sku}`));
      expect(units.toSorted()).toEqual(['1 BOOK-28', '1 TSHIRT-M', '2 MUG-11OZ']);
      const live = await liveOrders(platen, { id });
      expect(fulfillments.flatMap(({ trackingCodes }) => trackingCodes).toSorted()).toEqual(trackingCodesOf(live));
      const printOrders = await printOrdersOf(platen, { id });
      expect(live.map(({ orderReferenceId }) => orderReferenceId).toSorted()).toEqual(
        printOrders.map(({ reference }) => reference).toSorted(),
      );
      // The book is printed at another facility, and v1 allows one product per order.
      expect(printOrders).toHaveLength(printInterface === 'v1' ? 3 : 2);
      const way = printInterface === 'current' ? 'draft' : 'direct';
      expect(printOrders).toMatchObject(
        printOrders.map(() => ({ printInterface, submitWay: way, state: 'fulfilled' })),
      );
      for (const { reference } of printOrders)
        expect(reference).toMatch(printInterface === 'v1' ? /^[1-9][0-9]{0,9}$/ : /^pl[a-z0-9]{4}-[0-9]+-[0-9]+-/);
    });
  },
);
