import { TimelineEntries, type TimelineEntry } from '../../../src/database/entities/orders.ts';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { Platen, PlacedOrder, PrintedOrder } from '../../helpers/platen.ts';
import { printOrdersOf, untilPrintOrder } from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

/** Places an order for a poster, which every interface submits as one print order. */
export const placePoster = (platen: Platen): Promise<PlacedOrder> => platen.placeSkus({ 'POSTER-30X40': 1 });

export const untilSubmitted = (platen: Platen, order: PlacedOrder): Promise<PrintOrder> =>
  untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);

/** Returns the live orders at the service under the references of a storefront order. */
export async function liveOrders(platen: Platen, order: { id: string }): Promise<PrintedOrder[]> {
  const references = new Set((await printOrdersOf(platen, order)).map(({ reference }) => reference));
  const isLive = ({ orderType, deleted, fulfillmentStatus }: PrintedOrder) =>
    orderType === 'order' && deleted !== true && fulfillmentStatus !== 'canceled';
  return (await platen.printed()).filter((one) => references.has(one.orderReferenceId) && isLive(one));
}

/** Waits until the service has accepted an order's last part, and returns all parts. */
export async function untilLastSubmitted(platen: Platen, order: PlacedOrder, parts: number): Promise<PrintOrder[]> {
  const readLast = async () => {
    const printOrders = await printOrdersOf(platen, order);
    return printOrders.length === parts && printOrders.at(-1)?.confirmedAt;
  };
  await eventually(readLast).toBeInstanceOf(Date);
  return printOrdersOf(platen, order);
}

/** Runs the poll of open print orders immediately. */
export async function pollPrintOrders({ app }: Platen): Promise<void> {
  await app.jobs.enqueue(app.db, 'catch_up_print_orders', {}, { key: 'catch_up_print_orders' });
}

/** Returns a print order's timeline entries of one kind. */
export function entriesOf({ app }: Platen, { id: printOrderId }: PrintOrder, kind: string): Promise<TimelineEntry[]> {
  return app.db.manager.find(TimelineEntries, { where: { printOrderId, kind }, order: { id: 'ASC' } });
}
