import { Any, IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { OrderSales } from '../../database/entities/costs.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { Packages } from '../../database/entities/packages.ts';
import { PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { PrivacyRequests } from '../../database/entities/privacy-requests.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotFoundError } from '../../errors.ts';
import type { PrintOrderBody } from '../../print/port.ts';
import { decryptBody, decryptRecipient, type Recipient } from '../facts/recipient-column.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { readOrderEvents } from './order-events.ts';

/** The data that Platen stores about one order's customer. */
interface ExportedOrder {
  orderId: string;
  name: string;
  receivedAt: string;
  erasedAt: string | null;
  /** The amount that the buyer paid, as last read from the store. Null if Platen has never read the amount or has erased it. */
  sale: Record<string, unknown> | null;
  printOrders: ExportedPrintOrder[];
  holds: { code: string; field: string | null; message: string }[];
  /** The print service's events about the order, unchanged. */
  events: unknown[];
}

interface ExportedPrintOrder {
  /** The order's reference at the print service. */
  reference: string;
  state: PrintOrder['state'];
  /** Whether the print order was sent to the print service, which then keeps its own copy. */
  wasSent: boolean;
  serviceOrderIds: string[];
  recipient: Recipient | null;
  /** The request that creates the order at the print service. */
  body: PrintOrderBody | null;
  packages: { trackingCode: string; trackingUrl: string | null }[];
}

export interface PersonalDataExport {
  shop: string;
  requestId: string;
  receivedAt: string;
  orders: ExportedOrder[];
}

/**
 * Exports all data stored about the customer named in a data request, for the merchant to pass on, and completes the request. Records
 * each export in the log and in the orders' timelines, by IDs only. Throws NotFoundError if the shop has no such data request.
 */
export async function exportPersonalData(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  requestId: string,
  by: 'merchant' | 'operator',
): Promise<PersonalDataExport> {
  const where = { id: requestId, shopId: shop.id, kind: 'data_request' } as const;
  const request = await app.db.manager.findOneBy(PrivacyRequests, where);
  if (!request) throw new NotFoundError('There is no such data request.');
  const found = await app.db.manager.find(StorefrontOrders, {
    where: { shopId: shop.id, shopifyOrderId: Any(request.shopifyOrderIds) },
    order: { id: 'ASC' },
  });
  const orders: ExportedOrder[] = [];
  for (const order of found) orders.push(await exportOrder(app, order));
  const shopifyOrderIds = found.map(({ shopifyOrderId }) => shopifyOrderId);
  app.log.info({ shop: shop.domain, requestId, shopifyOrderIds, by }, 'personal data was read for a data request');
  await app.db.transaction(async (manager) => {
    for (const { id: storefrontOrderId } of found)
      await writeTimeline(manager, {
        shopId: shop.id,
        storefrontOrderId,
        kind: 'personal_data_read',
        message: "The customer's data was exported to answer a data request.",
        data: { requestId },
        by,
      });
    await manager.update(PrivacyRequests, { id: request.id, doneAt: IsNull() }, { doneAt: app.clock.now() });
  });
  return { shop: shop.domain, requestId, receivedAt: request.receivedAt.toISOString(), orders };
}

async function exportOrder(app: App, order: StorefrontOrder): Promise<ExportedOrder> {
  const { manager } = app.db;
  const about = { storefrontOrderId: order.id };
  const printOrders = await manager.find(PrintOrders, { where: about, order: { part: 'ASC' } });
  const holds = await manager.find(Holds, { where: about, order: { id: 'ASC' } });
  const paid = await manager.findOneBy(OrderSales, about);
  const exported: ExportedPrintOrder[] = [];
  for (const printOrder of printOrders) exported.push(await exportPrintOrder(app, printOrder));
  return {
    orderId: order.shopifyOrderId,
    name: order.name,
    receivedAt: order.receivedAt.toISOString(),
    erasedAt: order.erasedAt?.toISOString() ?? null,
    sale: paid?.sale ?? null,
    printOrders: exported,
    holds: holds.map(({ code, field, message }) => ({ code, field, message })),
    events: await readOrderEvents(manager, order.id),
  };
}

async function exportPrintOrder(app: App, printOrder: PrintOrder): Promise<ExportedPrintOrder> {
  const { id: printOrderId, reference, state, recipientEncrypted, bodyEncrypted } = printOrder;
  const byId = { order: { id: 'ASC' } } as const;
  const known = await app.db.manager.find(ServiceOrders, { where: { printOrderId }, ...byId });
  const packages = await app.db.manager.find(Packages, { where: { printOrderId }, ...byId });
  return {
    reference,
    state,
    wasSent: known.length > 0 || printOrder.confirmStartedAt !== null,
    serviceOrderIds: known.map(({ serviceOrderId }) => serviceOrderId),
    recipient: recipientEncrypted === null ? null : decryptRecipient(app, printOrder),
    body: bodyEncrypted === null ? null : decryptBody(app, printOrder),
    packages: packages.map(({ trackingCode, trackingUrl }) => ({ trackingCode, trackingUrl })),
  };
}
