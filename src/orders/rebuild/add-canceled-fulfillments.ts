import { IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { Fulfillments, Packages } from '../../database/entities/packages.ts';
import { PrintOrderLines, PrintOrders } from '../../database/entities/print-orders.ts';
import { isLiveFulfillment } from '../facts/store-quantities.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/**
 * Adds the canceled fulfillments in the store that no row explains, for an interface that shows no packages. Their tracking codes say
 * nothing there, so each belongs to the first print order that has all of its lines and no package. Its print order is then held
 * (`fulfillment_canceled`).
 */
export async function addCanceledFulfillments(
  app: App,
  { id: storefrontOrderId, shopId }: Pick<StorefrontOrder, 'id' | 'shopId'>,
  { fulfillments }: StoreReading,
): Promise<void> {
  const { manager } = app.db;
  const canceled = fulfillments.filter((one) => !isLiveFulfillment(one));
  if (canceled.length === 0) return;
  const known = new Set(
    (await manager.findBy(Fulfillments, { storefrontOrderId })).map(({ shopifyFulfillmentId }) => shopifyFulfillmentId),
  );
  const sent = { storefrontOrderId, confirmedAt: Not(IsNull()), fencedAt: IsNull() };
  const printOrders = await manager.find(PrintOrders, { where: sent, order: { part: 'ASC' } });
  for (const { id: shopifyFulfillmentId, lines: units } of canceled.filter(({ id }) => !known.has(id))) {
    const lines = units.map(({ lineItem, quantity }) => ({ shopifyLineItemId: lineItem.id, quantity }));
    for (const { id: printOrderId, shopifyFulfillmentOrderId } of printOrders) {
      const own = await manager.findBy(PrintOrderLines, { printOrderId });
      const hasAll = lines.every((line) =>
        own.some(
          ({ shopifyLineItemId, quantity }) =>
            shopifyLineItemId === line.shopifyLineItemId && quantity >= line.quantity,
        ),
      );
      const isExplained =
        (await manager.existsBy(Packages, { printOrderId })) ||
        (await manager.existsBy(Fulfillments, { printOrderId }));
      if (!hasAll || isExplained) continue;
      const row = { shopId, storefrontOrderId, printOrderId, shopifyFulfillmentOrderId, shopifyFulfillmentId };
      await manager.insert(Fulfillments, { ...row, state: 'done', lines, trackingCodes: [], endedAt: app.clock.now() });
      break;
    }
  }
}
