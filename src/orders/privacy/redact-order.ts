import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { OrderSales } from '../../database/entities/costs.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { Deviations, PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { Shops } from '../../database/entities/shops.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import type { OutcomeReason } from '../facts/outcome-reasons.ts';
import { type OwnRows, readOwnRows } from '../rows/own-rows.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { eraseTrackingLinks } from './erase-tracking-links.ts';
import { eraseQuotedMessages } from './erase-quoted-messages.ts';
import { finishRedactRequests } from './finish-redact-requests.ts';
import { eraseOrderEvents } from './order-events.ts';
import { isUnsent } from '../facts/print-order-predicates.ts';
import { isStateIn } from '../facts/order-state.ts';
import { enqueueRedaction } from '../enqueue/enqueue-redaction.ts';

/**
 * The longest time for which an unknown outcome delays the erasure. Platen can resolve the outcome without the customer's data, and Shopify
 * allows 30 days for the erasure.
 */
const MAX_WAIT_DAYS = 20;
const DAY_MS = 86_400_000;

/**
 * Erases a redacted order's customer data: the recipient and body of its print orders, their events and quoted messages in its holds.
 * Hashes, IDs, references and tracking codes stay. Unsent print orders are closed first and never sent. While the outcome of a create or
 * confirm request is unknown, the job runs again later. Runs in the order's queue. Safe to repeat.
 */
export async function redactOrder(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  await app.db.transaction(async (manager) => {
    const order = await manager.findOne(StorefrontOrders, {
      where: { id: storefrontOrderId },
      lock: { mode: 'for_no_key_update' },
    });
    if (!order || order.redactedAt === null) return;
    const isErased = order.erasedAt !== null || (await eraseOrder(app, manager, order));
    if (isErased) return finishRedactRequests(manager, order, app.clock.now());
    const waitedMs = app.clock.now().getTime() - order.redactedAt.getTime();
    // The job first runs again after two seconds. Later pauses grow up to one minute.
    const runAt = new Date(app.clock.now().getTime() + Math.min(60_000, Math.max(2_000, waitedMs / 4)));
    await enqueueRedaction(manager, order.id, runAt);
  });
}

/** Erases the data that can be erased now. Returns false if some data must wait. */
async function eraseOrder(app: App, manager: EntityManager, order: StorefrontOrder): Promise<boolean> {
  // While the rows are locked, no other job can send a request, choose a draft or confirm a draft.
  await manager.query('select from print_orders where storefront_order_id = $1 order by id for no key update', [
    order.id,
  ]);
  const rows = await readOwnRows(manager, order.id);
  const unsent = rows.prints.filter(isUnsent);
  for (const { printOrder } of unsent) await closeUnsent(app, manager, order, printOrder);
  const waiting = await findBlockingPrintOrders(app, manager, order, rows);
  const erasable = rows.prints.map(({ printOrder }) => printOrder.id).filter((id) => !waiting.has(id));
  if (erasable.length > 0) {
    await manager.update(PrintOrders, { id: In(erasable) }, { recipientEncrypted: null, bodyEncrypted: null });
    // A hash could reveal how a draft was changed, so Platen stores only the fact that someone accepted the change.
    const ofErasable = { printOrderId: In(erasable) };
    await manager.update(Deviations, ofErasable, { draftEdit: null });
    const accepted = { ...ofErasable, acceptedDraftEdit: Not(IsNull()) };
    await manager.update(Deviations, accepted, { acceptedDraftEdit: 'erased' });
  }
  await eraseQuotedMessages(manager, [order.id]);
  await manager.delete(OrderSales, { storefrontOrderId: order.id });
  await enqueueStoreUpdate(manager, order.id);
  await eraseOrderEvents(manager, [order.id], app.clock.now());
  await eraseTrackingLinks(manager, [order.id], app.clock.now());
  if (waiting.size > 0) return false;
  await markErased(app, manager, order);
  return true;
}

/** Returns why the data is erased: on request, or because it expired (`expireUnsentOrders`). */
function findErasureReason({
  outcomeReason,
}: StorefrontOrder): Extract<OutcomeReason, 'customer_redacted' | 'data_expired'> {
  return outcomeReason === 'data_expired' ? outcomeReason : 'customer_redacted';
}

/**
 * Closes an unsent print order, so that no request is sent under its reference. The submit job proves that nothing remains at the service.
 */
async function closeUnsent(
  app: App,
  manager: EntityManager,
  order: StorefrontOrder,
  printOrder: PrintOrder,
): Promise<void> {
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const closedReason = findErasureReason(order);
  await manager.update(PrintOrders, { id: printOrderId }, { closedAt: app.clock.now(), closedReason });
  await enqueueSubmit(manager, printOrder);
  const why =
    closedReason === 'data_expired'
      ? 'it was not sent within 90 days, and Platen stores addresses for at most 90 days'
      : "the customer's data is erased on request";
  const message = `${reference} was closed before it was printed: ${why}.`;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind: 'closed', message });
}

/**
 * Finds the print orders whose unknown outcome delays the erasure. Returns none if the data has expired, the shop is not installed or the
 * erasure has waited for MAX_WAIT_DAYS.
 */
async function findBlockingPrintOrders(
  app: App,
  manager: EntityManager,
  order: StorefrontOrder,
  { prints }: OwnRows,
): Promise<Set<string>> {
  const { shopId, redactedAt } = order;
  const waitedMs = app.clock.now().getTime() - (redactedAt ?? app.clock.now()).getTime();
  const isLate = findErasureReason(order) === 'data_expired' || waitedMs >= MAX_WAIT_DAYS * DAY_MS;
  if (isLate || !(await manager.existsBy(Shops, { id: shopId, state: 'installed' }))) return new Set();
  const open = prints.filter(({ printOrder: { state, fencedAt } }) => fencedAt === null && isStateIn(state, 'sending'));
  return new Set(open.map(({ printOrder }) => printOrder.id));
}

async function markErased(app: App, manager: EntityManager, order: StorefrontOrder): Promise<void> {
  const now = app.clock.now();
  await manager.update(StorefrontOrders, { id: order.id }, { erasedAt: now });
  // The cause of the plan's holds can no longer be fixed, so these holds are resolved. The audit's holds stay open for the merchant to
  // resolve.
  const code = Not<HoldCode>('unknown_print_order');
  await manager.update(
    Holds,
    { storefrontOrderId: order.id, code, printOrderId: IsNull(), resolvedAt: IsNull() },
    { resolvedAt: now },
  );
  await writeTimeline(manager, {
    shopId: order.shopId,
    storefrontOrderId: order.id,
    kind: 'customer_erased',
    message: "The order's customer data was erased.",
  });
  app.log.info({ shopId: order.shopId, storefrontOrderId: order.id }, "an order's customer data was erased");
}
