import { In, type EntityManager } from 'typeorm';
import { OrderLines, TimelineEntries } from '../database/entities/orders.ts';
import { PackageItems, Packages } from '../database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../database/entities/print-orders.ts';
import { changeState } from '../orders/record/change-state.ts';
import { enqueuePlanAfterChange } from '../orders/enqueue/enqueue-plan.ts';
import { willNeverShip } from '../orders/facts/service-trouble.ts';
import { toPrintOrderState } from '../orders/facts/order-state.ts';
import { describeTrackingCodes } from '../orders/facts/describe-tracking-codes.ts';
import { recordStepWait } from '../orders/waits/record-step-wait.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { holdRefusedPush, resolveRefusedPush } from './hold-refused-push.ts';
import type { PrintToPush } from './packages-to-push.ts';
import { type PushPlan, planPush } from './plan-push.ts';
import { toOrderColumns } from '../orders/record/to-order-columns.ts';
import { type PushScope, mayFinish } from './push-scope.ts';
import { countUnitsFulfilled, countUnitsLeft } from './store-fulfillments.ts';

/** A poll pushes packages that are still waiting after this many seconds. */
const RETRY_SECONDS = 300;

/**
 * Records what the store now shows for an order: marks packages that need no further action as pushed, updates the lines' fulfilled units
 * and the print orders' states, and replans the order. Records why the remaining packages cannot be fulfilled yet.
 */
export async function settlePackages(scope: PushScope): Promise<void> {
  const plan = planPush(scope.prints, scope.rows, scope.store);
  await scope.order.change(async (manager) => {
    for (const settled of plan.settled) await recordPushed(scope, manager, settled);
    const countsChanged = await saveFulfilledUnits(scope, manager);
    const finished: PrintToPush[] = [];
    for (const print of scope.prints)
      if (isFinished(scope, print, plan) && !(await isAheadOfPlan(scope, manager, print, plan))) finished.push(print);
    for (const { printOrder, lines } of finished) {
      const message = `${printOrder.reference} is finished: ${describeFinished(scope, lines)}.`;
      // Uses a copy of the print order, because this function runs again if another worker has changed the order.
      await changeState(manager, { ...printOrder }, { to: 'fulfilled', kind: 'finished', message });
    }
    if (plan.settled.length > 0 || finished.length > 0 || countsChanged)
      await enqueuePlanAfterChange(manager, scope.storefrontOrder.id, scope.settings);
  });
  for (const { printOrder, packages, replaced } of scope.prints) {
    if ([...packages, ...replaced].every(({ pushedAt }) => pushedAt !== null))
      await resolveRefusedPush(scope, printOrder);
  }
  for (const { print, items } of plan.groups) await recordUnfulfilledReason(scope, print, items);
}

async function recordPushed(
  { app, store }: PushScope,
  manager: EntityManager,
  { print, package: one, isShown, staysEdited }: PushPlan['settled'][number],
): Promise<void> {
  const items = await manager.findBy(PackageItems, { packageId: one.id });
  // If an event has since added an item, the reading of that event enqueues another push.
  const isWhole = items.every(({ itemReferenceId }) => one.itemReferenceIds.includes(itemReferenceId));
  one.pushedAt = isWhole ? app.clock.now() : null;
  if (!isWhole) return;
  await manager.update(Packages, { id: one.id }, { pushedAt: one.pushedAt, refusedAt: null });
  if (staysEdited) await recordUncorrectedCode(manager, print, one.trackingCode);
  if (isShown) return;
  const { reference } = print.printOrder;
  const codes = describeTrackingCodes([one.trackingCode]);
  const hasItems = print.lines.some(({ itemReferenceId }) => one.itemReferenceIds.includes(itemReferenceId));
  const why = !store.isThere
    ? 'the store no longer has the order'
    : store.isCanceled
      ? 'the order is canceled'
      : 'its items were fulfilled by hand or removed from the order';
  await writeTimeline(manager, {
    ...toOrderColumns(print.printOrder),
    kind: 'nothing_to_fulfill',
    message: hasItems
      ? `Nothing is left to fulfill for ${codes} of ${reference}: ${why}.`
      : `The print service lists no item of ${reference} for ${codes}, so Platen fulfills no items.`,
    data: { trackingCode: one.trackingCode },
  });
}

async function recordUncorrectedCode(
  manager: EntityManager,
  { printOrder }: PrintToPush,
  trackingCode: string,
): Promise<void> {
  await writeTimeline(manager, {
    ...toOrderColumns(printOrder),
    kind: 'tracking_left',
    message: `The print service has corrected ${describeTrackingCodes([trackingCode])} of ${printOrder.reference}. Someone changed the fulfillment's codes in the store, so Platen does not change them. Compare the codes.`,
    data: { trackingCode },
  });
}

/** Records the fulfilled units of the printed lines. Returns whether any count changed. */
async function saveFulfilledUnits(
  { prints, store, storefrontOrder }: PushScope,
  manager: EntityManager,
): Promise<boolean> {
  let changed = false;
  if (!store.isThere) return changed;
  const ids = new Set(prints.flatMap(({ lines }) => lines.map(({ shopifyLineItemId }) => shopifyLineItemId)));
  const ofOrder = { storefrontOrderId: storefrontOrder.id };
  const known = await manager.findBy(OrderLines, { ...ofOrder, shopifyLineItemId: In([...ids]) });
  for (const { shopifyLineItemId, fulfilledQuantity: before } of known) {
    const fulfilledQuantity = countUnitsFulfilled(store, shopifyLineItemId);
    if (before === fulfilledQuantity) continue;
    await manager.update(OrderLines, { ...ofOrder, shopifyLineItemId }, { fulfilledQuantity });
    changed = true;
  }
  return changed;
}

function describeFinished({ store }: PushScope, lines: readonly PrintOrderLine[]): string {
  return lines.some(({ shopifyLineItemId }) => countUnitsFulfilled(store, shopifyLineItemId) > 0)
    ? 'all units that the store still needs are fulfilled'
    : 'it was shipped, and the store has nothing left to fulfill for it';
}

/** Returns whether all units that the store still wants are fulfilled, and none of the print order's packages is waiting. */
function isFinished({ store }: PushScope, { printOrder, lines, packages }: PrintToPush, plan: PushPlan): boolean {
  if (!mayFinish(printOrder) || packages.length === 0) return false;
  if (packages.some(({ pushedAt }) => pushedAt === null)) return false;
  const isLineDone = (line: PrintOrderLine): boolean =>
    isCovered(line, plan) ||
    (countUnitsLeft(store, line.shopifyLineItemId) === 0 && !isStillInProduction(printOrder, line));
  return store.isThere && !store.isCanceled && lines.every(isLineDone);
}

/** Returns whether all of a line's units are fulfilled. */
function isCovered({ printOrderId, itemReferenceId, quantity: units }: PrintOrderLine, { items }: PushPlan): boolean {
  const own = items.filter((item) => item.printOrderId === printOrderId && item.itemReferenceId === itemReferenceId);
  return own.reduce((sum, { quantity, left }) => sum + quantity - left, 0) >= units;
}

/**
 * Returns whether unfulfilled units were removed from the order and the plan has not read this change yet. Such a print order must not
 * finish yet, because the plan compares the order with the sent units only until the print order is finished.
 */
async function isAheadOfPlan(
  { store, storefrontOrder }: PushScope,
  manager: EntityManager,
  { lines }: PrintToPush,
  plan: PushPlan,
): Promise<boolean> {
  const ids = lines.filter((line) => !isCovered(line, plan)).map(({ shopifyLineItemId }) => shopifyLineItemId);
  if (ids.length === 0) return false;
  const where = { storefrontOrderId: storefrontOrder.id, shopifyLineItemId: In(ids) };
  const planned = await manager.findBy(OrderLines, where);
  return planned.some(({ shopifyLineItemId: id, orderedQuantity }) => orderedQuantity > (store.ordered.get(id) ?? 0));
}

/**
 * Returns whether the service still has to ship a line. Until then, the print order may be canceled, or the buyer may receive items that
 * are no longer wanted.
 */
function isStillInProduction({ shippedAt }: PrintOrder, { serviceStatus }: PrintOrderLine): boolean {
  return shippedAt === null && !willNeverShip(serviceStatus) && toPrintOrderState(serviceStatus ?? '') !== 'shipped';
}

/** Records why items are not fulfilled: lines on hold wait for the store, and lines at another fulfillment service need manual action. */
async function recordUnfulfilledReason(
  scope: PushScope,
  { printOrder }: PrintToPush,
  items: PushPlan['items'],
): Promise<void> {
  const lines = scope.store.openLines.filter((line) =>
    items.some(({ shopifyLineItemId }) => shopifyLineItemId === line.shopifyLineItemId),
  );
  if (lines.some(({ standing }) => standing === 'open')) return;
  if (!lines.some(({ standing }) => standing === 'waiting')) {
    const message =
      'The store has assigned these lines to another fulfillment service, and only that service can fulfill them.';
    return holdRefusedPush(scope, printOrder, { field: null, message });
  }
  const { manager } = scope.app.db;
  const why = 'The items have shipped, but their fulfillment is on hold, scheduled or not accepted in the store.';
  const wait = { step: 'push', code: 'fulfillment_refused', why, seconds: RETRY_SECONDS, isExact: true } as const;
  await recordStepWait(scope.app, manager, { ...printOrder, printOrder }, wait);
  const kind = 'fulfillment_waits';
  if (await manager.existsBy(TimelineEntries, { printOrderId: printOrder.id, kind })) return;
  const message = `${printOrder.reference} has shipped. Its fulfillment waits until the store's fulfillment order is open.`;
  await writeTimeline(manager, { ...toOrderColumns(printOrder), kind, message });
}
