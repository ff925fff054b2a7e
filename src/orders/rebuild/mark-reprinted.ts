import { IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintOrderLines, PrintOrders, type PrintOrderLine } from '../../database/entities/print-orders.ts';
import { isStateIn } from '../facts/order-state.ts';
import { willNeverShip } from '../facts/service-trouble.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/**
 * Marks print orders whose units were all printed again, because the database may have forgotten that someone chose "Print again": they
 * had been fulfilled, and later print orders of the same fulfillment order already have all of its units.
 */
export async function markReprinted(
  app: App,
  storefrontOrderId: string,
  { fulfillmentOrders, fulfillments }: Pick<StoreReading, 'fulfillmentOrders' | 'fulfillments'>,
): Promise<void> {
  const { manager } = app.db;
  const sent = { storefrontOrderId, confirmedAt: Not(IsNull()), fencedAt: IsNull() };
  const prints = await manager.find(PrintOrders, { where: sent, order: { part: 'DESC' } });
  const pushed = new Set(fulfillments.flatMap(({ lines }) => lines.map(({ lineItem }) => lineItem.id)));
  for (const { id, lineItems } of fulfillmentOrders) {
    const total = new Map(lineItems.map(({ lineItem, totalQuantity }) => [lineItem.id, totalQuantity]));
    const later = new Map<string, number>();
    const isCovered = ({ shopifyLineItemId: line }: PrintOrderLine): boolean =>
      pushed.has(line) && (later.get(line) ?? 0) >= Math.max(1, total.get(line) ?? Infinity);
    for (const print of prints.filter((one) => one.shopifyFulfillmentOrderId === id)) {
      const lines = await manager.findBy(PrintOrderLines, { printOrderId: print.id });
      if (print.printAgainAt === null && isStateIn(print.state, 'left') && lines.every(isCovered))
        await manager.update(PrintOrders, { id: print.id }, { printAgainAt: app.clock.now() });
      else if (!willNeverShip(print.state))
        for (const { shopifyLineItemId: line, quantity } of lines) later.set(line, (later.get(line) ?? 0) + quantity);
    }
  }
}
