import { TimelineEntries } from '../../../src/database/entities/orders.ts';
import { PrintOrderLines, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { AdminApi } from '../../../src/shopify/admin/admin-api.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import type { PlacedOrder, Platen, PrintedOrder } from '../../helpers/platen.ts';
import { runSubmitJobsNow, printOrdersOf } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

/** An order that the service has accepted, with a function that advances it at the service. */
export interface OrderAtService {
  order: PlacedOrder;
  printOrder: PrintOrder;
  printed: PrintedOrder;
  itemOf(sku: string): string;
  /** Advances the order at the service, which then sends all resulting events. */
  advance(to: string, packages?: ServicePackage[], id?: string): Promise<void>;
}

interface ServicePackage {
  skus: string[];
  code: string;
  url?: string;
  replaces?: string;
}

/** A fulfillment as the store shows it. */
export interface ShownFulfillment {
  id: string;
  lines: Record<string, number>;
  codes: string[];
  company: string | null;
  mails: number;
  events: { status: string; estimatedDeliveryAt: string | null }[];
}

/** Places an order for these SKUs and waits until the service has received it. */
export async function placeAtService(
  platen: Platen,
  skus: Record<string, number>,
  more: Record<string, unknown> = {},
): Promise<OrderAtService> {
  const order = await platen.placeSkus(skus, more);
  const confirmed = async () => {
    await runSubmitJobsNow(platen, order);
    return (await printOrdersOf(platen, order)).filter(({ confirmedAt }) => confirmedAt !== null).length;
  };
  await eventually(confirmed).toBe(1);
  const [printOrder] = await printOrdersOf(platen, order);
  const [printed] = await platen.printedFor(order.name);
  if (!printOrder || !printed) throw new Error('The order is not at the service.');
  const lines = await platen.app.db.manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
  const itemOf = (sku: string): string => lines.find((line) => line.sku === sku)?.itemReferenceId ?? '';
  const toPackage = ({ skus: inside, code, url, replaces }: ServicePackage) => ({
    items: inside.map(itemOf),
    trackingCode: code,
    ...(url === undefined ? {} : { trackingUrl: url }),
    ...(replaces === undefined ? {} : { replaces }),
  });
  return {
    order,
    printOrder,
    printed,
    itemOf,
    async advance(to, packages, id = printed.id) {
      const body = { to, ...(packages ? { packages: packages.map(toPackage) } : {}) };
      await platen.control('print', 'POST', `/orders/${id}/advance`, body);
    },
  };
}

/** Returns the fulfillments of an order, as the store shows them. */
export async function fulfillmentsOf(
  platen: Platen,
  { order }: { order: { id: string } },
): Promise<ShownFulfillment[]> {
  const shown = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(order.id)}`)) as {
    fulfillments: {
      id: string;
      lines: { sku: string; quantity: number }[];
      trackingCodes: string[];
      trackingCompany: string | null;
      notifications: number;
      events: ShownFulfillment['events'];
    }[];
  };
  return shown.fulfillments.map(({ id, lines, trackingCodes, trackingCompany, notifications, events }) => ({
    id,
    lines: Object.fromEntries(lines.map(({ sku, quantity }) => [sku, quantity])),
    codes: trackingCodes,
    company: trackingCompany,
    mails: notifications,
    events: events.map(({ status, estimatedDeliveryAt }) => ({ status, estimatedDeliveryAt })),
  }));
}

/** Returns the fulfillments as the store shows them, sorted by tracking codes, without IDs and events. */
export async function shippedOf(platen: Platen, at: { order: { id: string } }) {
  const shown = await fulfillmentsOf(platen, at);
  return shown
    .map(({ lines, codes, company, mails }) => ({ lines, codes, company, mails }))
    .toSorted((a, b) => a.codes.join().localeCompare(b.codes.join()));
}

/** Returns a print order's timeline entries of one kind. */
export async function entriesOfKind(platen: Platen, { printOrder }: OrderAtService, kind: string) {
  return platen.app.db.manager.find(TimelineEntries, {
    where: { printOrderId: printOrder.id, kind },
    order: { id: 'ASC' },
  });
}

/** Opens the Admin API of the shop, for changes made by hand in the store. */
export const adminOf = (platen: Platen): Promise<AdminApi> => openAdmin(platen.app, platen.shop);
