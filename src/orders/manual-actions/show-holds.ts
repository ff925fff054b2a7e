import { In, IsNull, type EntityManager } from 'typeorm';
import { Holds, OrderLines } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { UNKNOWN_ORDER_FIRST } from '../facts/hold-codes.ts';
import { showHold, type ShownHold } from '../facts/show-hold.ts';
import { readHoldUrls } from '../lists/read-hold-urls.ts';
import { findOfferedActions, listStepsFor, listWithheldActions, type Action, type HoldStep } from './hold-actions.ts';

/** An order's open hold, with what the merchant can choose now. */
export interface OrderHold extends ShownHold {
  actions: readonly Action[];
  steps: readonly HoldStep[];
  /** The variant of the line on hold. Null if the hold concerns more than one line. */
  variant: { variantId: string | null; productId: string | null; sku: string | null } | null;
  /** The reference of the print order on hold. Null if the order itself is on hold. */
  reference: string | null;
  since: string;
}

/** Reads the open holds of these orders, oldest first, by the order's ID in the database. */
export async function showHolds(
  manager: EntityManager,
  shop: Shop,
  storefrontOrderIds: readonly string[],
): Promise<Map<string, OrderHold[]>> {
  const ofOrders = { storefrontOrderId: In(storefrontOrderIds) };
  const open = await manager.find(Holds, { where: { ...ofOrders, resolvedAt: IsNull() }, order: { id: 'ASC' } });
  const urls = await readHoldUrls(manager, open);
  const lines = await manager.findBy(OrderLines, ofOrders);
  const printOrders = await manager.findBy(PrintOrders, ofOrders);
  const printLines = await manager.findBy(PrintOrderLines, { printOrderId: In(printOrders.map(({ id }) => id)) });
  const byOrder = Map.groupBy(open, ({ storefrontOrderId }) => storefrontOrderId);
  return new Map(
    [...byOrder].map(([id, holds]) => [
      id,
      holds.map((hold) => {
        const line = lines.find(
          (one) => one.storefrontOrderId === id && one.shopifyLineItemId === hold.shopifyLineItemId,
        );
        const printOrder = printOrders.find((one) => one.id === hold.printOrderId) ?? null;
        const ofPrintOrder = printLines.filter(({ printOrderId }) => printOrderId === hold.printOrderId);
        const shown = showHold(hold, urls);
        const isWithheld = listWithheldActions(hold, holds).length > 0;
        return {
          ...shown,
          remedy: isWithheld ? `${UNKNOWN_ORDER_FIRST} ${shown.remedy}` : shown.remedy,
          actions: findOfferedActions(hold, { shop, holds, printOrder, lines: ofPrintOrder }),
          steps: listStepsFor(hold.code),
          variant: line ? { variantId: line.shopifyVariantId, productId: line.shopifyProductId, sku: line.sku } : null,
          reference: printOrder?.reference ?? null,
          since: hold.createdAt.toISOString(),
        };
      }),
    ]),
  );
}
