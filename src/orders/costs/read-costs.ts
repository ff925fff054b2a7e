import { In, IsNull, type EntityManager } from 'typeorm';
import { OrderSales, PrintReceipts, type PrintReceipt } from '../../database/entities/costs.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
  type PrintOrderLine,
  type ServiceOrder,
} from '../../database/entities/print-orders.ts';
import { countUnitsInEffect, willNeverShip } from '../facts/service-trouble.ts';
import { isRefund, toChargedCost, toQuotedCost, type QuotedCost } from './print-cost.ts';
import type { Sale } from './split-sale.ts';
import { toMargins, type CostedPrint, type Margin } from './to-margin.ts';
import { mayCost, isInEffect } from '../facts/print-order-predicates.ts';

/** The known cost and margin of one print order. */
export interface PrintCosts extends Margin {
  quoted: QuotedCost | null;
}

/** An order's costs: for each print order, by its ID, and in total. */
export interface OrderCosts {
  prints: ReadonlyMap<string, PrintCosts>;
  order: Margin;
}

/** The columns that costs are computed from. Other columns are large or encrypted, so reading them is slow. */
const COSTED = {
  id: true,
  storefrontOrderId: true,
  state: true,
  confirmedAt: true,
  closedAt: true,
  fencedAt: true,
  printAgainAt: true,
  printInterface: true,
  financialStatus: true,
  quote: true,
} as const satisfies Partial<Record<keyof PrintOrder, true>>;
type CostedPrintOrder = Pick<PrintOrder, keyof typeof COSTED>;

/** Financial statuses in which the service has refunded the charge or has never received the payment. */
const OPEN_CHARGES: ReadonlySet<string | null> = new Set(['refused', 'canceled', 'refunded', 'partially_refunded']);

/** Reads the costs of one shop's orders, keyed by order ID. The number of SQL statements does not depend on the number of orders. */
export async function readCosts(
  manager: EntityManager,
  orders: readonly Pick<StorefrontOrder, 'id' | 'redactedAt'>[],
): Promise<ReadonlyMap<string, OrderCosts>> {
  const ofOrders = { storefrontOrderId: In(orders.map(({ id }) => id)) };
  const printOrders: CostedPrintOrder[] = await manager.find(PrintOrders, {
    select: COSTED,
    where: ofOrders,
    order: { part: 'ASC' },
  });
  const counted = printOrders.filter(mayCost);
  const ofPrints = { printOrderId: In(counted.map(({ id }) => id)) };
  const lines = Map.groupBy(await manager.findBy(PrintOrderLines, ofPrints), (line) => line.printOrderId);
  const receipts = Map.groupBy(await manager.findBy(PrintReceipts, ofPrints), (receipt) => receipt.printOrderId);
  const live = { ...ofPrints, role: In(['chosen', 'part'] as const), deletedAt: IsNull() };
  const parts = Map.groupBy(await manager.findBy(ServiceOrders, live), (part) => part.printOrderId);
  const sales = new Map((await manager.findBy(OrderSales, ofOrders)).map((sale) => [sale.storefrontOrderId, sale]));
  const ofOrder = Map.groupBy(counted, (printOrder) => printOrder.storefrontOrderId);
  return new Map(
    orders.map((order) => {
      const prints = ofOrder.get(order.id) ?? [];
      const kept = sales.get(order.id);
      const isErased = order.redactedAt !== null;
      const sale = kept && !isErased ? (kept.sale as unknown as Sale) : null;
      const costed = prints.map((printOrder): CostedPrint => {
        const own = lines.get(printOrder.id) ?? [];
        const [ownReceipts, ownParts] = [receipts.get(printOrder.id) ?? [], parts.get(printOrder.id) ?? []];
        const facts = { receipts: ownReceipts, parts: ownParts, lines: own };
        const units = toUnits(printOrder, own);
        return { id: printOrder.id, units, cost: toCost(printOrder, facts) };
      });
      const margins = toMargins(sale ?? (isErased ? 'customer_erased' : 'sale_not_read'), costed);
      const byId = prints.flatMap(({ id, quote }) => {
        const margin = margins.prints.get(id);
        return margin ? [[id, { quoted: toQuotedCost(quote), ...margin }] as const] : [];
      });
      return [order.id, { prints: new Map(byId), order: margins.order }] as const;
    }),
  );
}

/**
 * Returns the units for which a print order receives a share of the sale. Omits units that failed or are printed again under another
 * reference, because the buyer paid for them only once.
 */
function toUnits(printOrder: CostedPrintOrder, lines: readonly PrintOrderLine[]): CostedPrint['units'] {
  if (!isInEffect(printOrder)) return [];
  return lines
    .filter((line) => line.printAgainAt === null && !willNeverShip(line.serviceStatus))
    .map((line) => ({ lineItemId: line.shopifyLineItemId, quantity: countUnitsInEffect(line) }));
}

interface CostFacts {
  receipts: readonly PrintReceipt[];
  parts: readonly ServiceOrder[];
  lines: readonly PrintOrderLine[];
}

function toCost(
  { confirmedAt, printInterface, financialStatus, state }: CostedPrintOrder,
  { receipts, parts, lines }: CostFacts,
): CostedPrint['cost'] {
  if (confirmedAt === null) return { unknown: 'not_ordered' };
  if (printInterface !== 'current') return { unknown: 'cost_not_told' };
  const withReceipt = new Set(receipts.flatMap(listServiceOrderIds));
  if (withReceipt.size === 0 || parts.some(({ serviceOrderId }) => !withReceipt.has(serviceOrderId)))
    return { unknown: 'receipts_missing' };
  const read = receipts.map(({ receipt }) => receipt);
  const hasUnshippableItem = lines.some(
    ({ serviceStatus, unitsOver }) => willNeverShip(serviceStatus) || unitsOver > 0,
  );
  const isChargeReversed = OPEN_CHARGES.has(financialStatus) || willNeverShip(state) || hasUnshippableItem;
  if (isChargeReversed && !read.some(isRefund)) return { unknown: 'charge_open' };
  // The print order's own status does not show whether one of its parts will not ship.
  const refunded = new Set(receipts.filter(({ receipt }) => isRefund(receipt)).flatMap(listServiceOrderIds));
  if (parts.some(({ status, serviceOrderId }) => willNeverShip(status) && !refunded.has(serviceOrderId)))
    return { unknown: 'charge_open' };
  const charged = toChargedCost(read);
  return 'unread' in charged ? { unknown: charged.unread } : charged;
}

function listServiceOrderIds({ serviceOrderId, shownBy: all }: PrintReceipt): string[] {
  return [serviceOrderId, ...all];
}
