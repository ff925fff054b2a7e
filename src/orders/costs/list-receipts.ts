import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintReceipts } from '../../database/entities/costs.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';

/** A receipt as received from the print service, with its billing entity (the merchant's company that pays). */
interface ListedReceipt {
  reference: string;
  serviceOrderId: string;
  /** When the receipt last changed, ISO 8601. */
  seenAt: string;
  receipt: Record<string, unknown>;
  billingEntity: Record<string, unknown> | null;
}

/** Maximum number of receipts to read. No order has this many. */
const MOST = 500;

/** Lists every receipt that the service has returned for an order's print orders. */
export async function listReceipts(app: App, order: Pick<StorefrontOrder, 'id'>): Promise<ListedReceipt[]> {
  const { manager } = app.db;
  const printOrders = await manager.findBy(PrintOrders, { storefrontOrderId: order.id });
  const receipts = await manager.find(PrintReceipts, {
    where: { printOrderId: In(printOrders.map(({ id }) => id)) },
    order: { printOrderId: 'ASC', receiptId: 'ASC' },
    take: MOST,
  });
  return receipts.map(({ printOrderId, serviceOrderId, seenAt, receipt, billingEntity }) => ({
    reference: printOrders.find(({ id }) => id === printOrderId)?.reference ?? '',
    serviceOrderId,
    seenAt: seenAt.toISOString(),
    receipt,
    billingEntity,
  }));
}
