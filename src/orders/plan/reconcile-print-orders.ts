import { In, IsNull } from 'typeorm';
import { PrintOrderLines, PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PrintInterface } from '../../print/port.ts';
import type { FitAddressResult } from '../address/fit-address.ts';
import { nameField } from '../address/name-field.ts';
import { hashPlan } from '../facts/hash-plan.ts';
import { openHoldWithEntry } from '../record/hold-print-order.ts';
import { assignReference } from '../record/assign-reference.ts';
import { computeItemReference } from '../facts/compute-reference.ts';
import type { Plan, PlannedItem } from './decide/plan.ts';
import { writeDeviation } from '../rows/deviations.ts';
import type { KnownPrint } from '../rows/own-rows.ts';
import { sealRecipient, type Recipient } from '../facts/recipient-column.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { hasStoreCalls } from './settle-fulfillment-requests.ts';
import { locationOf } from '../facts/store-quantities.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import type { PlanScope } from './plan-scope.ts';
import { toManualMethodRule } from '../facts/shipping-method-rule.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { isReplaceable, isSuperseded } from '../facts/print-order-predicates.ts';
import { isStateIn } from '../facts/order-state.ts';
import { getTraits } from '../../print/get-traits.ts';
import { enqueueQuote } from '../enqueue/enqueue-quote.ts';

/**
 * Reconciles the print orders with the plan: creates missing print orders, continues print orders that are still wanted and closes print
 * orders that differ. A closed print order's units count until it is fenced. The first plan after the fence creates its successor.
 */
export async function reconcilePrintOrders(scope: PlanScope, recipient: FitAddressResult | null): Promise<void> {
  const { plan, rows } = scope;
  const wanted = new Map(plan.wanted.map((one) => [one.shopifyFulfillmentOrderId, one.items]));
  const toCancel = new Set(plan.cancellations.flatMap(({ printOrderIds }) => printOrderIds));
  const replaceable = rows.prints.filter(isReplaceable);
  for (const print of replaceable) {
    const { printOrder } = print;
    if (toCancel.has(printOrder.id)) {
      await closePrintOrder(scope, printOrder, 'cancellation_requested');
      continue;
    }
    const items = wanted.get(printOrder.shopifyFulfillmentOrderId);
    const sha256 =
      items && recipient?.ok
        ? hashPlan(items.filter(isLineOf(print)), recipient.address, scope.settings, scope.reading.shippingLines)
        : null;
    if (sha256 !== null && !matchesSettings(scope, printOrder))
      await closePrintOrder(scope, printOrder, 'other_interface');
    else if (sha256 === printOrder.planSha256) await continuePrintOrder(scope, printOrder);
    else if (sha256 !== null) await closePrintOrder(scope, printOrder, 'changed');
    else if (!isHeldBack(plan, printOrder)) await closePrintOrder(scope, printOrder, 'not_wanted');
  }
  for (const { shopifyFulfillmentOrderId, items } of plan.wanted) {
    const covering = replaceable.filter(
      ({ printOrder }) => printOrder.shopifyFulfillmentOrderId === shopifyFulfillmentOrderId,
    );
    const uncovered = items.filter((item) => !covering.some((print) => isLineOf(print)(item)));
    if (uncovered.length === 0 || !recipient?.ok) continue;
    for (const share of splitItems(uncovered, scope.settings.printInterface))
      await createPrintOrder(scope, shopifyFulfillmentOrderId, share, recipient);
  }
  if (plan.reason === 'canceled') {
    await requestCancellations(scope, rows.prints, 'the order was canceled in the store');
    for (const print of rows.prints) await holdShippedPrintOrder(scope, print);
  }
  if (plan.reason === 'canceled_by_hand') await requestCancellations(scope, rows.prints, 'it was canceled by hand');
  const ofRequests = rows.prints.filter(({ printOrder }) => toCancel.has(printOrder.id));
  await requestCancellations(scope, ofRequests, 'the merchant requested that the fulfillment be canceled');
}

/** Returns whether an unsent print order matches the shop's current interface settings. A sent print order always keeps its interface. */
function matchesSettings({ settings }: PlanScope, { printInterface, legacyHost, submitWay }: PrintOrder): boolean {
  // With `leavesDrafts`, someone releases each order in the dashboard, which is possible only for drafts.
  if (settings.leavesDrafts && settings.submit === 'draft' && submitWay === 'direct') return false;
  if (printInterface !== settings.printInterface) return false;
  return printInterface === 'current' || legacyHost === settings.legacyHost;
}

/** Splits items into print orders. One earlier interface accepts only one product per order (docs/rules/print-interface.md#v1). */
export function splitItems(items: PlannedItem[], printInterface: PrintInterface): PlannedItem[][] {
  return getTraits(printInterface).acceptsOnlyOneProduct ? items.map((item) => [item]) : [items];
}

/**
 * If the service returns several quotes, a fulfillment order's lines are split among several print orders. Each print order is compared
 * only with the plan for its own lines.
 */
function isLineOf({ lines }: KnownPrint): (item: PlannedItem) => boolean {
  return (item) => lines.some(({ shopifyLineItemId }) => shopifyLineItemId === item.shopifyLineItemId);
}

/** Returns whether a later plan may need a print order that this plan does not need because part of the order is waiting or held. */
function isHeldBack(plan: Plan, printOrder: PrintOrder): boolean {
  if (plan.outcome === 'waiting' || hasStoreCalls(plan)) return true;
  const id = printOrder.shopifyFulfillmentOrderId;
  return (
    plan.waits.some((wait) => wait.shopifyFulfillmentOrderId === id) ||
    plan.holds.some((hold) => hold.shopifyFulfillmentOrderId === null || hold.shopifyFulfillmentOrderId === id)
  );
}

async function continuePrintOrder({ app, manager, storefrontOrder }: PlanScope, printOrder: PrintOrder): Promise<void> {
  // The submit step compares `updatedAt` with the time of the last reading to see whether the last plan wanted the print order.
  await manager.update(PrintOrders, { id: printOrder.id }, { updatedAt: app.clock.now() });
  if (printOrder.state === 'planned') await enqueueQuote(manager, storefrontOrder.id);
  if (printOrder.state === 'quoted') await enqueueSubmit(manager, printOrder);
}

const CLOSE_REASONS = {
  gone: 'the store no longer has the order',
  changed: 'the order or its print links changed',
  not_wanted: 'its lines no longer need to be fulfilled',
  cancellation_requested: 'the merchant requested that the fulfillment be canceled',
  other_interface: 'the shop now prints through another interface',
  cannot_confirm: 'its print account cannot confirm drafts, so the order is sent directly',
  canceled_by_hand: 'it was canceled by hand',
  other_shipping: 'another shipping method was chosen',
  printed_in_another: 'another order at the print service already contains some of its lines',
};

/**
 * Closes a print order's reference. Platen sends nothing more under the reference, and the submit job proves that no order or draft is left
 * at the service.
 */
export async function closePrintOrder(
  { app, manager, storefrontOrder }: Pick<PlanScope, 'app' | 'manager' | 'storefrontOrder'>,
  printOrder: PrintOrder,
  reason: keyof typeof CLOSE_REASONS,
): Promise<void> {
  await manager.update(PrintOrders, { id: printOrder.id }, { closedAt: app.clock.now(), closedReason: reason });
  await enqueueSubmit(manager, printOrder);
  await writeTimeline(manager, {
    shopId: storefrontOrder.shopId,
    storefrontOrderId: storefrontOrder.id,
    printOrderId: printOrder.id,
    kind: 'closed',
    message: `${printOrder.reference} was closed before it was printed: ${CLOSE_REASONS[reason]}.`,
    data: { reason },
  });
}

function isAtOurs({ reading, shop }: PlanScope, shopifyFulfillmentOrderId: string): boolean {
  const fulfillmentOrder = reading.fulfillmentOrders.find(({ id }) => id === shopifyFulfillmentOrderId);
  return fulfillmentOrder !== undefined && locationOf(fulfillmentOrder, shop.locationId) === 'ours';
}

async function createPrintOrder(
  scope: PlanScope,
  shopifyFulfillmentOrderId: string,
  items: PlannedItem[],
  recipient: Extract<FitAddressResult, { ok: true }>,
): Promise<void> {
  const { app, manager, shop, storefrontOrder, settings, installation, reading } = scope;
  const { printInterface, legacyHost } = settings;
  const of = { shop, installation, printInterface };
  const { part, reference } = await assignReference(manager, storefrontOrder, shopifyFulfillmentOrderId, of);
  const { identifiers } = await manager.insert(PrintOrders, {
    shopId: shop.id,
    storefrontOrderId: storefrontOrder.id,
    printAccountId: shop.printAccountId,
    shopifyFulfillmentOrderId,
    part,
    reference,
    state: 'planned',
    submitWay: settings.submit,
    // A test order is never printed.
    isLeftAsDraft: reading.test,
    printInterface,
    legacyHost,
    planSha256: hashPlan(items, recipient.address, settings, reading.shippingLines),
    // At Platen's location, the store already shows the accepted fulfillment order as in progress, so no progress has to be reported.
    progressReportedAt: isAtOurs(scope, shopifyFulfillmentOrderId) ? app.clock.now() : null,
    recipientEncrypted: sealRecipient(app, reference, {
      address: recipient.address,
      changes: recipient.changes,
      customerReferenceId: toCustomerReference(shop, reading),
      shippingLines: reading.shippingLines.map(({ title, code: rateCode }) => ({ title, code: rateCode })),
      productTags: toProductTags(
        reading,
        items.map(({ shopifyLineItemId }) => shopifyLineItemId),
      ),
      ...toOwnFiles(items),
      shippingWay: toManualMethodRule(storefrontOrder.shippingChoice),
    }),
  });
  const printOrderId = String(identifiers[0]?.['id']);
  await manager.insert(
    PrintOrderLines,
    items.map(({ isOwnFile, fileUrl, ...item }) => ({
      printOrderId,
      itemReferenceId: computeItemReference(item.shopifyLineItemId, printInterface),
      fileUrl: isOwnFile ? null : fileUrl,
      ...item,
    })),
  );
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  await writeTimeline(manager, {
    shopId: shop.id,
    storefrontOrderId: storefrontOrder.id,
    printOrderId,
    kind: 'planned',
    message: `${reference}: ${items.length} ${items.length === 1 ? 'line' : 'lines'}, ${units} ${units === 1 ? 'unit' : 'units'} to print.`,
    data: {
      reference,
      shopifyFulfillmentOrderId,
      lines: items.map(({ sku, quantity, productUid }) => ({ sku, quantity, productUid })),
    },
  });
  if (recipient.changes.length > 0)
    await recordAddressChanges(
      scope,
      printOrderId,
      recipient.changes.map(({ field, why }) => ({ field, why })),
    );
  if (
    !getTraits(printInterface).supportsEnvelopes &&
    items.some(({ envelopeProductUid }) => envelopeProductUid !== null)
  )
    await recordOmittedEnvelopes(scope, printOrderId);
  await enqueueQuote(manager, storefrontOrder.id);
}

/** Returns the printed products' tags, which shipping rules can use. */
export function toProductTags(
  { lineItems }: Pick<StoreReading, 'lineItems'>,
  lineItemIds: readonly string[],
): Record<string, string[]> {
  const printed = new Set(lineItemIds);
  return Object.fromEntries(
    lineItems.filter(({ id }) => printed.has(id)).map(({ id, product }) => [id, product?.tags ?? []]),
  );
}

/** Returns the files that came with lines. These files are the buyer's data, so Platen stores and erases them together with the address. */
function toOwnFiles(items: PlannedItem[]): Pick<Recipient, 'fileUrls'> {
  const own = items.flatMap((item) =>
    item.isOwnFile && item.fileUrl !== null ? [[item.shopifyLineItemId, item.fileUrl]] : [],
  );
  return own.length > 0 ? { fileUrls: Object.fromEntries(own) } : {};
}

/** Records in the timeline that the envelopes are left out. */
async function recordOmittedEnvelopes(
  { manager, shop, storefrontOrder }: PlanScope,
  printOrderId: string,
): Promise<void> {
  await writeTimeline(manager, {
    shopId: shop.id,
    storefrontOrderId: storefrontOrder.id,
    printOrderId,
    kind: 'envelopes_left_out',
    message: "The print link's envelopes are left out: only interface v2 of the print service accepts them.",
  });
}

/** Records which address fields were adjusted and why, without their values. */
async function recordAddressChanges(
  { manager, shop, storefrontOrder }: PlanScope,
  printOrderId: string,
  changes: { field: string; why: string }[],
): Promise<void> {
  await writeTimeline(manager, {
    shopId: shop.id,
    storefrontOrderId: storefrontOrder.id,
    printOrderId,
    kind: 'address_fitted',
    message: `The address was adjusted for the print service: ${changes.map(({ field, why }) => `${nameField(field)} (${why})`).join(', ')}.`,
    data: { changes },
  });
}

/** Returns the customer reference: shop handle, `-` and the customer's numeric ID or `guest` (docs/rules/planning.md#request-fields). */
export function toCustomerReference(shop: Shop, { customer }: StoreReading): string {
  const handle = shop.domain.replace(/\.myshopify\.com$/, '');
  return `${handle}-${customer ? customer.id.slice(customer.id.lastIndexOf('/') + 1) : 'guest'}`;
}

/**
 * Opens a hold, only once, for a print order that shipped before its order was canceled in the store, so that someone decides what to do.
 */
async function holdShippedPrintOrder(
  { app, manager }: PlanScope,
  { printOrder, deviation }: KnownPrint,
): Promise<void> {
  const { id, state } = printOrder;
  const isOut = isStateIn(state, 'shipped') && !isSuperseded(printOrder);
  if (!isOut || deviation.cancelRefusedAt !== null) return;
  const parts = await manager.findBy(ServiceOrders, { printOrderId: id, role: In(['chosen', 'part']) });
  if (parts.length > 0 && parts.every(({ deliveredAt }) => deliveredAt !== null)) return;
  const why = 'it is already on its way';
  const message = `This print order could not be canceled: ${why}.`;
  const now = app.clock.now();
  await writeDeviation(manager, id, { cancelRefusedAt: now, cancelRefusedWhy: why }, now);
  await openHoldWithEntry(manager, printOrder, { code: 'cannot_cancel', message });
}

/**
 * Requests the cancellation of print orders that may have been sent. Each cancellation is requested only once, even if the service refuses
 * it.
 */
export async function requestCancellations(
  { app, manager }: Pick<PlanScope, 'app' | 'manager'>,
  prints: readonly KnownPrint[],
  why: string,
): Promise<void> {
  for (const print of prints) {
    const { id, shopId, storefrontOrderId, reference, ...printOrder } = print.printOrder;
    const isOver = isStateIn(printOrder.state, 'shipped', 'ended');
    const isAsked = printOrder.cancelRequestedAt !== null || print.deviation.cancelRefusedAt !== null;
    if (isReplaceable(print) || isOver || isAsked || printOrder.closedAt !== null) continue;
    const open = { id, cancelRequestedAt: IsNull(), closedAt: IsNull(), fencedAt: IsNull() };
    const { affected } = await manager.update(PrintOrders, open, { cancelRequestedAt: app.clock.now() });
    if (affected === 0) continue;
    await enqueueSubmit(manager, print.printOrder);
    const message = `${reference} is being canceled at the print service: ${why}.`;
    const about = { shopId, storefrontOrderId, printOrderId: id };
    await writeTimeline(manager, { ...about, kind: 'cancel_requested', message, data: { reference } });
  }
}
