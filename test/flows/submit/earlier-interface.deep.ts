import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PrintedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilCodes } from '../changes/manual-actions.ts';
import {
  entriesOf,
  liveOrders,
  placePoster,
  pollPrintOrders,
  untilLastSubmitted,
  untilSubmitted,
} from './earlier-interface.ts';
import { attemptsOf, injectFaults, inStore, printOrdersOf, untilPrintOrder } from './submit-helpers.ts';

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  await set({ printInterface: 'current' });
});

const set = (settings: object) => changeSettings(platen.app, platen.shop, settings);
const advance = ({ id }: { id: string }, to: string) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to });
const trackingCodesOf = (orders: PrintedOrder[]): string[] =>
  (orders as unknown as { shipment: { packages: { trackingCode: string }[] } }[])
    .flatMap(({ shipment }) => shipment.packages.map(({ trackingCode }) => trackingCode))
    .toSorted();

test.each(['v2', 'v1'] as const)(
  'through interface %s, a mixed order is printed once for each reference and fulfilled with the service’s tracking codes',
  async (printInterface) => {
    await set({ printInterface });
    // The book is printed at another facility, and v1 allows one product per order.
    const parts = printInterface === 'v1' ? 3 : 2;
    const order = await platen.placeSkus({ 'MUG-11OZ': 2, 'TSHIRT-M': 1, 'BOOK-28': 1, VASE: 1 });
    await untilLastSubmitted(platen, order, parts);
    for (const live of await liveOrders(platen, order)) await advance(live, 'shipped');
    await pollPrintOrders(platen);
    await platen.untilState(order.id, 'fulfilled');
    const { fulfillments } = await platen.storeOrder(order.id);
    const units = fulfillments.flatMap(({ lines }) => lines.map(({ sku, quantity }) => `${quantity} ${sku}`));
    expect(units.toSorted()).toEqual(['1 BOOK-28', '1 TSHIRT-M', '2 MUG-11OZ']);
    const live = await liveOrders(platen, order);
    expect(fulfillments.flatMap(({ trackingCodes }) => trackingCodes).toSorted()).toEqual(trackingCodesOf(live));
    const printOrders = await printOrdersOf(platen, order);
    expect(live.map(({ orderReferenceId }) => orderReferenceId).toSorted()).toEqual(
      printOrders.map(({ reference }) => reference).toSorted(),
    );
    const pattern = printInterface === 'v1' ? /^[1-9][0-9]{0,9}$/ : /^pl[a-z0-9]{4}-[0-9]+-[0-9]+-/;
    const expected = {
      printInterface,
      submitWay: 'direct',
      state: 'fulfilled',
      reference: expect.stringMatching(pattern),
    };
    expect(printOrders).toMatchObject(Array.from({ length: parts }, () => expected));
  },
);

test.each(['v2', 'v1'] as const)(
  'through interface %s, an order whose create response is lost is found and not sent again, and is canceled if the interface can cancel',
  async (printInterface) => {
    await set({ printInterface });
    const lost = { path: `/${printInterface}/order/create`, rate: 1, times: 1, kind: 'reset', effect: 'done' };
    await injectFaults(platen, [lost]);
    const order = await placePoster(platen);
    const printOrder = await untilSubmitted(platen, order);
    expect(await attemptsOf(platen, order)).toMatchObject([{ outcome: 'unclear' }]);
    expect(await liveOrders(platen, order)).toHaveLength(1);
    await inStore(platen, order, 'cancel');
    if (printInterface === 'v1') {
      await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
      return expect(await liveOrders(platen, order)).toEqual([]);
    }
    await untilCodes(platen, order, ['cannot_cancel']);
    const [hold] = (await platen.listed(order.id)).holds;
    expect(hold?.message).toMatch(/this interface of the print service does not support cancellation/);
    expect(await entriesOf(platen, printOrder, 'held')).toHaveLength(1);
    expect(await liveOrders(platen, order)).toHaveLength(1);
  },
);
