import type { Config } from '../../config.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { createLog } from '../../log.ts';
import { openApp } from '../../open-app.ts';
import { groupConnected, isDraft, isLive } from '../../orders/facts/found-orders.ts';
import { listOrders } from '../../orders/lists/list-orders.ts';
import type { App } from '../../app.ts';
import { readPrintOrders, type DemoOrder } from '../../../sandbox/demo.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { findShopByDomain } from '../../shops/find-shop.ts';

/** The result of the demo (docs/contracts.md#developer-runs). */
export interface DemoDocument {
  orders: {
    name: string;
    printOrders: {
      reference: string;
      serviceOrderIds: string[];
      shipmentMethodUid: string | null;
      ordersAtService: number;
    }[];
    fulfillments: DemoOrder['fulfillments'];
  }[];
}

/** Combines the app's print orders, the orders at the print service and the fulfillments in the store. */
export async function describeDemo(config: Config, domain: string, orders: DemoOrder[]): Promise<DemoDocument> {
  const opened = await openApp(config, createLog('warn', 2), { poolSize: 2, applicationName: 'platen demo' });
  try {
    const shop = await findShopByDomain(opened.app, domain);
    const document: DemoDocument = { orders: [] };
    for await (const { orderId, name, printOrders } of listOrders(opened.app, shop)) {
      const fulfillments = orders.find(({ id }) => id === orderId)?.fulfillments ?? [];
      const described: DemoDocument['orders'][number]['printOrders'] = [];
      for (const { reference, serviceOrderIds } of printOrders) {
        const row = await opened.app.db.manager.findOneByOrFail(PrintOrders, { reference });
        const ordersAtService = await countAtService(opened.app, row.printAccountId, reference);
        described.push({ reference, serviceOrderIds, shipmentMethodUid: row.shipmentMethodUid, ordersAtService });
      }
      document.orders.push({
        name,
        printOrders: described,
        fulfillments: fulfillments.map(({ lines, trackingCodes, trackingUrls }) => ({
          lines: lines.map(({ sku, quantity }) => ({ sku, quantity })),
          trackingCodes,
          trackingUrls,
        })),
      });
    }
    return document;
  } finally {
    await opened.close();
  }
}

/**
 * Counts the live orders with a reference. Drafts are excluded, and connected parts count as one order. Reads the service, not Platen's
 * database.
 */
async function countAtService(app: App, accountId: number | null, reference: string): Promise<number> {
  const records = (await readBooks(app, accountId, reference)).filter(
    (record) => record.orderReferenceId === reference && !isDraft(record),
  );
  return groupConnected(records).filter(isLive).length;
}

interface BookedOrder {
  id: string;
  orderReferenceId: string;
  orderType: string | null;
  fulfillmentStatus: string | null;
  connectedOrderIds: string[];
}

/** Returns the orders with a reference. If the stand-in runs, reads its stored records. Otherwise, searches the service. */
async function readBooks(app: App, accountId: number | null, reference: string): Promise<BookedOrder[]> {
  if (app.config.sandbox.runsPrint) {
    const booked = await readPrintOrders(app.config.print.urls.order);
    return booked
      .filter(({ deleted }) => deleted !== true)
      .map(({ connectedOrderIds = [], ...order }) => ({ ...order, connectedOrderIds }));
  }
  if (accountId === null) return [];
  const { service } = await openPrintAccount(app, accountId, { extendedCalls: false });
  return Array.fromAsync(service.searchOrders({ orderReferenceIds: [reference] }));
}
