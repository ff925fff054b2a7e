import { OrderSales } from '../../database/costs.ts';
import type { PlanScope } from '../plan/write-plan.ts';
import { enqueueReadSale } from './enqueue-read-sale.ts';
import { toSaleMark } from './to-sale.ts';

/** What the buyer paid is read again once the order has other sums or units in the store than it was read with: a refund, an edit. */
export async function noteSaleChange({ app, manager, storefrontOrder, rows, reading }: PlanScope): Promise<void> {
  // It is read only of what was ordered at the print service.
  if (rows.prints.every(({ printOrder }) => printOrder.confirmedAt === null)) return;
  const { id: storefrontOrderId } = storefrontOrder;
  const known = await manager.findOne(OrderSales, { where: { storefrontOrderId }, select: { mark: true } });
  if (known && known.mark !== toSaleMark(reading)) await enqueueReadSale(app, manager, storefrontOrderId);
}
