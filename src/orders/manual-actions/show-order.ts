import { In, IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, OrderLines, TimelineEntries, type StorefrontOrder } from '../../database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceComments,
  ServiceOrders,
  SubmitAttempts,
  type PrintOrder,
} from '../../database/entities/print-orders.ts';
import { Packages } from '../../database/entities/packages.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { PortMethod } from '../../print/port.ts';
import { describeUnknownReason } from '../costs/list-costs.ts';
import { readCosts, type PrintCosts } from '../costs/read-costs.ts';
import type { Margin, UnknownReason } from '../costs/to-margin.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import { toOrderState, type StorefrontOrderState } from '../facts/to-order-state.ts';
import { readWaits, type OrderWait } from '../waits/read-waits.ts';
import { findAddressLockReason, findShippingLockReason, type ChangeableOrder } from './changes/changeable-order.ts';
import { listOrderActions, type Action } from './hold-actions.ts';
import { showHolds, type OrderHold } from './show-holds.ts';

/** The maximum number of timeline entries shown. Older entries are omitted. */
const MAX_ENTRIES = 500;

/** Everything known about one order, without personal data. */
export interface ShownStorefrontOrder {
  orderId: string;
  name: string;
  state: StorefrontOrderState;
  /** Why the order is waiting or has nothing to do. Null if neither applies. */
  reason: { code: string; message: string } | null;
  /** Unfinished parts: why they are waiting, and when Platen acts next. */
  waits: OrderWait[];
  placedAt: string;
  approvedAt: string | null;
  heldAt: string | null;
  cancelAskedAt: string | null;
  /** Whether the merchant can still change the address and the shipping method. */
  canChange: { address: boolean; shipping: boolean };
  /** The actions on the whole order that are possible now, besides those of its holds. */
  actions: readonly Action[];
  holds: OrderHold[];
  lines: {
    lineItemId: string;
    /** Null if the line has never had a known variant. */
    variantId: string | null;
    sku: string | null;
    decision: string;
    reason: string | null;
    ordered: number;
    fulfilled: number;
  }[];
  printOrders: ShownPrintOrder[];
  /** The total for all of the order's print orders. Null if nothing is printed. */
  costs: Explained<Margin> | null;
  /** Oldest first. */
  timeline: {
    at: string;
    kind: string;
    message: string;
    by: string;
    reference: string | null;
    data: Record<string, unknown>;
  }[];
}

/** Costs with a message that explains why the margin is unknown. */
type Explained<Costs extends Margin> = Omit<Costs, 'unknown'> & {
  unknown: { code: UnknownReason; message: string } | null;
};

/** A shipping method that the print service offered in its quote, as `toStoredQuote` stores it. */
type OfferedMethod = Omit<PortMethod, 'shipmentMethodUid' | 'promise'> & { uid: string };

interface ShownPrintOrder {
  reference: string;
  state: PrintOrder['state'];
  /** Whether the print order is closed permanently, so that its units can be printed under another reference. */
  isClosed: boolean;
  isLeftAsDraft: boolean;
  /** The order as the print service reports it. */
  service: { status: string | null; financialStatus: string | null; comment: string | null; orderIds: string[] };
  shipping: { chosen: string | null; rule: string | null; offered: OfferedMethod[] };
  delivery: { from: string | null; to: string | null };
  lines: {
    lineItemId: string;
    sku: string | null;
    quantity: number;
    productUid: string;
    serviceStatus: string | null;
    serviceComment: string | null;
  }[];
  packages: {
    trackingCode: string;
    trackingUrl: string | null;
    methodName: string | null;
    seenAt: string;
    /** When the store received the code, or null if it has not received the code yet. */
    pushedAt: string | null;
  }[];
  /** Null if the print order was closed before it was ordered. */
  costs: Explained<PrintCosts> | null;
}

/** Shows a consistent snapshot of an order: state, holds with actions, print orders with the service's data and the timeline. */
export async function showOrder(app: App, order: StorefrontOrder): Promise<ShownStorefrontOrder> {
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const ofOrder = { storefrontOrderId: order.id };
    const shop = await manager.findOneByOrFail(Shops, { id: order.shopId });
    const holds = await manager.find(Holds, { where: { ...ofOrder, resolvedAt: IsNull() }, order: { id: 'ASC' } });
    const lines = await manager.find(OrderLines, { where: ofOrder, order: { shopifyLineItemId: 'ASC' } });
    const printOrders = await manager.find(PrintOrders, { where: ofOrder, order: { part: 'ASC' } });
    const ofPrintOrders = {
      where: { printOrderId: In(printOrders.map(({ id }) => id)) },
      order: { id: 'ASC' },
    } as const;
    const printLines = await manager.find(PrintOrderLines, ofPrintOrders);
    const serviceOrders = await manager.find(ServiceOrders, ofPrintOrders);
    const packages = await manager.find(Packages, {
      where: { ...ofPrintOrders.where, replacedAt: IsNull() },
      order: { id: 'ASC' },
    });
    const comments = await manager.find(ServiceComments, { where: ofPrintOrders.where });
    const commentOn = (printOrder: PrintOrder, item = ''): string | null =>
      comments.find((one) => one.printOrderId === printOrder.id && one.itemReferenceId === item)?.comment ?? null;
    const entries = await manager.find(TimelineEntries, { where: ofOrder, order: { id: 'DESC' }, take: MAX_ENTRIES });
    const references = new Map(printOrders.map(({ id, reference }) => [id, reference]));
    const referenceOf = (id: string | null): string | null => (id === null ? null : (references.get(id) ?? null));
    const counting = printOrders.filter(({ fencedAt }) => fencedAt === null);
    const waits = await readWaits(app, manager, [order.id]);
    const { outcomeReason } = order;
    const attempts = await manager.find(SubmitAttempts, ofPrintOrders);
    const changeable: ChangeableOrder = {
      order,
      prints: printOrders.map((printOrder) => ({
        printOrder,
        attempts: attempts.filter(({ printOrderId }) => printOrderId === printOrder.id),
      })),
      isHeld: holds.some(({ printOrderId }) => printOrderId === null),
    };
    const costs = (await readCosts(manager, [order])).get(order.id);
    const costsOf = ({ id }: PrintOrder): PrintCosts | null => costs?.prints.get(id) ?? null;
    const state = toOrderState({ order, lines, holds, printOrders: counting });
    const canChange = {
      address: findAddressLockReason(changeable) === null,
      shipping: findShippingLockReason(changeable) === null,
    };
    return {
      orderId: order.shopifyOrderId,
      name: order.name,
      state,
      reason: outcomeReason === null ? null : { code: outcomeReason, message: describeOutcome(outcomeReason) },
      waits: waits.get(order.id) ?? [],
      placedAt: order.placedAt.toISOString(),
      approvedAt: order.approvedAt?.toISOString() ?? null,
      heldAt: order.heldAt?.toISOString() ?? null,
      cancelAskedAt: order.cancelAskedAt?.toISOString() ?? null,
      canChange,
      actions: listOrderActions({ order, state, isHeld: holds.length > 0, canSend: canChange.shipping }),
      holds: (await showHolds(manager, shop, [order.id])).get(order.id) ?? [],
      lines: lines.map((line) => ({
        lineItemId: line.shopifyLineItemId,
        variantId: line.shopifyVariantId,
        sku: line.sku,
        decision: line.decision,
        reason: line.reason,
        ordered: line.orderedQuantity,
        fulfilled: line.fulfilledQuantity,
      })),
      printOrders: printOrders.map((printOrder) => ({
        ...toShownPrintOrder(printOrder),
        service: {
          status: printOrder.serviceStatus,
          financialStatus: printOrder.financialStatus,
          comment: commentOn(printOrder),
          orderIds: serviceOrders
            .filter((one) => one.printOrderId === printOrder.id && one.role !== 'spare' && one.deletedAt === null)
            .map(({ serviceOrderId }) => serviceOrderId),
        },
        lines: printLines
          .filter(({ printOrderId }) => printOrderId === printOrder.id)
          .map(({ shopifyLineItemId, itemReferenceId, sku, quantity, productUid, serviceStatus }) => ({
            lineItemId: shopifyLineItemId,
            sku,
            quantity,
            productUid,
            serviceStatus,
            serviceComment: commentOn(printOrder, itemReferenceId),
          })),
        packages: packages
          .filter(({ printOrderId }) => printOrderId === printOrder.id)
          .map(({ trackingCode, trackingUrl, shipmentMethodName, seenAt, pushedAt }) => ({
            trackingCode,
            trackingUrl,
            methodName: shipmentMethodName,
            seenAt: seenAt.toISOString(),
            pushedAt: pushedAt?.toISOString() ?? null,
          })),
        costs: toExplained(costsOf(printOrder)),
      })),
      costs: toExplained(costs && costs.prints.size > 0 ? costs.order : null),
      timeline: entries.toReversed().map(({ at, kind, message, by, printOrderId, data }) => ({
        at: at.toISOString(),
        kind,
        message,
        by,
        reference: referenceOf(printOrderId),
        data,
      })),
    };
  });
}

function toShownPrintOrder(printOrder: PrintOrder): Omit<ShownPrintOrder, 'service' | 'lines' | 'packages' | 'costs'> {
  const { reference, state, fencedAt, isLeftAsDraft, quote, shipmentMethodUid, minDeliveryDate, maxDeliveryDate } =
    printOrder;
  return {
    reference,
    state,
    isClosed: fencedAt !== null,
    isLeftAsDraft,
    shipping: {
      chosen: shipmentMethodUid,
      rule: (quote?.['rule'] ?? null) as string | null,
      offered: (quote?.['offered'] ?? []) as OfferedMethod[],
    },
    delivery: { from: minDeliveryDate, to: maxDeliveryDate },
  };
}

function toExplained<Costs extends Margin>(costs: Costs | null): Explained<Costs> | null {
  return costs && { ...costs, unknown: describeUnknownReason(costs.unknown) };
}
