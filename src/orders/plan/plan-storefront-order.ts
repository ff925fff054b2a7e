import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { openOrder, type OrderSession } from '../rows/order-session.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { checkOtherApp } from './check-other-app.ts';
import { isSaleDue, saveSale } from '../costs/save-sale.ts';
import { closeMissingOrder } from './close-missing-order.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueWaitingPush } from '../enqueue/enqueue-push.ts';
import { followFulfillmentOrders } from './follow-fulfillment-orders.ts';
import { addFulfillmentOrders } from '../facts/found-orders.ts';
import { countRemainingForDrafts } from './decide/count-remaining-for-drafts.ts';
import { markRoutedWebhooksHandled } from './mark-routed-webhooks-handled.ts';
import { holdCanceledFulfillments } from './hold-canceled-fulfillments.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { rebuildOrder } from '../rebuild/rebuild-order.ts';
import { planCancellations, planForeignRejections } from './decide/plan-cancellations.ts';
import { countHeldUnits, planOrder } from './decide/plan-order.ts';
import type { Plan } from './decide/plan.ts';
import { followRedactedOrder } from './follow-redacted-order.ts';
import { redactIfRequested } from '../privacy/redact-if-requested.ts';
import { enqueueSyncFulfillmentService } from '../../shops/enqueue-shop-jobs.ts';
import { countLeftToFulfill, isAtFormerLocation } from '../facts/store-quantities.ts';
import { type OwnRows, readOwnRows, areSameRows } from '../rows/own-rows.ts';
import { readStore, toReading } from './read/read-store.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { reconcilePrintOrders } from './reconcile-print-orders.ts';
import { hasStoreCalls, settleFulfillmentRequests } from './settle-fulfillment-requests.ts';
import { recordWaitingRequests } from './record-waiting-requests.ts';
import { releaseOwnHolds } from './release-own-holds.ts';
import { toPlanInput } from './decide/to-plan-input.ts';
import { endStepWaits } from '../waits/end-step-waits.ts';
import { recordStepWait } from '../waits/record-step-wait.ts';
import { writeTimeline, type NewTimelineEntry } from '../record/write-timeline.ts';
import { writeChanges } from './write-changes.ts';
import { writeRelease } from './write-release.ts';
import type { PlanScope } from './plan-scope.ts';
import { writePlan } from './write-plan.ts';

/** Maximum number of rounds (reading, planning and requesting fulfillment) before the order waits for its next plan. */
const ROUNDS = 4;
/** Delay until the next plan if the store does not accept a request. The delay doubles each time. */
const LOOK_AGAIN_SECONDS = 30;
const MAX_SECONDS = 6 * 3600;
/**
 * A reading older than this is repeated before the plan is written, because the order may have changed since, and polls treat the reading
 * as current.
 */
const MAX_READING_MS = 30_000;

interface OrderToPlan {
  shop: Shop;
  storefrontOrder: StorefrontOrder;
}

/** An order as read from the store, the time of that request, and Platen's rows as they were before the request. */
interface OrderAsRead {
  before: OwnRows;
  askedAt: Date;
  reading: StoreReading;
}

/**
 * Reads an order from the store, plans it and writes the plan and the jobs that follow. Runs in the order's queue, and is safe to repeat at
 * any time. Returns the plan, or null if there is no valid plan. Throws ShopifyError if the store cannot be read.
 */
export async function planStorefrontOrder(
  app: App,
  { storefrontOrderId }: { storefrontOrderId: string },
): Promise<Plan | null> {
  const order = await openOrder(app, { storefrontOrderId });
  return order && planOpenOrder(app, order);
}

/** Plans an order like `planStorefrontOrder`, from rows that have already been read. */
export async function planOpenOrder(app: App, order: OrderSession): Promise<Plan | null> {
  const begunAt = app.clock.now();
  const plan = await planInRounds(app, order, begunAt);
  // Writing a plan also ends the plan step's waits. If the rounds end without a plan, the waits end here.
  if (plan === null) await order.change((manager) => endPlanWaits(app, manager, order, begunAt));
  return plan;
}

function endPlanWaits(
  app: App,
  manager: EntityManager,
  { storefrontOrderId }: OrderSession,
  begunAt: Date,
): Promise<void> {
  return endStepWaits(app, manager, { storefrontOrderId }, 'plan', begunAt);
}

/**
 * Reads Platen's rows before the store's order. If units are sent to print in between, the number of units to print is too high, never too
 * low, and `createPlan` detects the change.
 */
async function readOrderAndRows(
  app: App,
  admin: AdminApi,
  order: OrderSession,
  { shop, storefrontOrder }: OrderToPlan,
): Promise<OrderAsRead | null> {
  const before = await readOwnRows(order.reader, storefrontOrder.id);
  const askedAt = app.clock.now();
  const withSale = before.prints.length > 0 && (await isSaleDue(order.reader, storefrontOrder.id));
  const reading = await readStore(app, shop, admin, storefrontOrder.shopifyOrderId, { withSale });
  return reading && { before, askedAt, reading };
}

async function planInRounds(app: App, order: OrderSession, begunAt: Date): Promise<Plan | null> {
  // Timeline entries about requests that the store accepted are written with the order's next change, or here if a step fails before that
  // change.
  const entries: NewTimelineEntry[] = [];
  try {
    return await runRounds(app, order, begunAt, entries);
  } finally {
    await writeTimeline(app.db.manager, ...entries).catch((error: unknown) =>
      app.log.warn({ storefrontOrderId: order.storefrontOrderId, error }, 'timeline entries could not be written'),
    );
  }
}

async function runRounds(
  app: App,
  order: OrderSession,
  begunAt: Date,
  entries: NewTimelineEntry[],
): Promise<Plan | null> {
  const { storefrontOrderId } = order;
  let planned: Date | null = null;
  let answer: OrderAsRead | null = null;
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round > 1 && !(await order.reload())) return null;
    const found = await findOrder(order.reader, storefrontOrderId);
    if (!found || found.shop.state !== 'installed') return null;
    // The intake stores an order without checking whether an earlier redaction request names the order, so this step checks.
    if (order.rows.isToRedact && (await redactIfRequested(app, app.db.manager, found.storefrontOrder))) return null;
    if (found.storefrontOrder.redactedAt !== null) {
      await followRedactedOrder(app, found.shop, found.storefrontOrder);
      return null;
    }
    // If the database was restored, it takes over the store when the order is read.
    const installation = await order.readInstallation();
    const admin = await openAdmin(app, found.shop, { seen: order.token });
    const read: OrderAsRead | null = answer ?? (await readOrderAndRows(app, admin, order, found));
    answer = null;
    const rows = read?.before ?? (await readOwnRows(order.reader, storefrontOrderId));
    const rebuilt = await rebuildOrder(app, { ...found, installation }, read?.reading ?? null, rows);
    if (rebuilt?.nextAt) {
      await enqueuePlan(app.db.manager, storefrontOrderId, rebuilt.nextAt);
      return null;
    }
    // The rows have changed.
    if (rebuilt) continue;
    if (!read) {
      await closeMissingOrder(app, found.storefrontOrder);
      return null;
    }
    const { reading }: OrderAsRead = read;
    await checkOtherApp(app, found.shop, { onlyFirst: true });
    const plan = await order.change(async (manager) => {
      await writeTimeline(manager, ...entries);
      const made = await createPlan({ app, manager, storefrontOrderId, ...read, installation });
      if (made !== 'changed' && made !== null && !hasStoreCalls(made)) await endPlanWaits(app, manager, order, begunAt);
      return made;
    });
    entries.length = 0;
    if (plan === 'changed') continue;
    if (plan === null || !hasStoreCalls(plan)) return plan;
    planned = plan.replanAt;
    await releaseOwnHolds(app, admin, reading, plan);
    const asked = { before: await readOwnRows(order.reader, storefrontOrderId), askedAt: app.clock.now() };
    const answered = await settleFulfillmentRequests(app, admin, found, plan, entries);
    answer = answered && { ...asked, reading: toReading({ ...answered, customer: reading.customer, sale: null }) };
  }
  await enqueueReplan(app, storefrontOrderId, planned);
  return null;
}

/**
 * Schedules the next plan after the store did not accept a request. The pause doubles each time, but the plan runs no later than `planned`.
 * If the order changes, it is planned immediately.
 */
async function enqueueReplan(app: App, storefrontOrderId: string, planned: Date | null): Promise<void> {
  const { manager } = app.db;
  const { shopId } = await manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
  const latest = planned === null ? Infinity : Math.max(0, (planned.getTime() - app.clock.now().getTime()) / 1000);
  const seconds = (tries: number): number => Math.min(LOOK_AGAIN_SECONDS * 2 ** (tries - 1), MAX_SECONDS, latest);
  const why =
    'The store does not accept the fulfillment request for this order, or the answer to it. Check in the store what the fulfillment is waiting for.';
  const wait = { step: 'plan', why, seconds, isExact: true } as const;
  const runAt = await recordStepWait(app, manager, { shopId, storefrontOrderId, printOrder: null }, wait);
  await enqueuePlan(manager, storefrontOrderId, runAt);
  // The store also refuses requests if Platen's fulfillment service no longer exists.
  await enqueueSyncFulfillmentService(manager, shopId);
}

async function findOrder(manager: EntityManager, id: string): Promise<OrderToPlan | null> {
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  return storefrontOrder && shop ? { shop, storefrontOrder } : null;
}

/**
 * Plans with Platen's current rows. Returns 'changed' if they differ from the rows that were read before the store's order, or if the
 * reading is too old.
 */
async function createPlan(
  given: Pick<PlanScope, 'app' | 'manager' | 'reading' | 'installation'> & {
    storefrontOrderId: string;
    before: OwnRows;
    askedAt: Date;
  },
): Promise<Plan | 'changed' | null> {
  const { app, manager, storefrontOrderId, before, reading, askedAt, installation } = given;
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: storefrontOrderId });
  const readAt = app.clock.now();
  if (readAt.getTime() - askedAt.getTime() > MAX_READING_MS) return 'changed';
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || !shop || shop.state !== 'installed' || storefrontOrder.redactedAt !== null) return null;
  // Webhooks about routed fulfillment orders arrive with the order, or while it waits for its fulfillment orders.
  const isFirst = storefrontOrder.outcome === 'waiting';
  // References contain the order's name, so Platen keeps the first name that it read, even if the store renames the order.
  storefrontOrder.name ||= reading.name;
  storefrontOrder.referenceNumbers = addFulfillmentOrders(storefrontOrder.referenceNumbers, reading);
  const rows = await readOwnRows(manager, storefrontOrderId);
  if (!areSameRows(before, rows)) return 'changed';
  await followFulfillmentOrders(manager, reading, rows);
  const input = await toPlanInput(app, manager, { shop, columns: storefrontOrder, reading, rows });
  const { settings, recipient } = input;
  const { locationId, formerLocationIds } = shop;
  const isServiceDeleted = reading.fulfillmentOrders.some((one) =>
    isAtFormerLocation(one, { locationId, formerLocationIds: [] }),
  );
  if (isServiceDeleted) await enqueueSyncFulfillmentService(manager, shop.id);
  const plan = planOrder(input);
  plan.cancellations.push(...planCancellations(reading, locationId, rows.prints, countHeldUnits(input)));
  await delayAcceptances(manager, storefrontOrder, plan);
  const { printsAtMerchantLocations } = settings;
  plan.remainingForDrafts = countRemainingForDrafts(
    { order: reading, locationId, formerLocationIds, printsAtMerchantLocations },
    rows.prints,
  );
  plan.rejections.push(...planForeignRejections(reading, locationId, plan.lines));
  const scope = { app, manager, shop, storefrontOrder, settings, plan, rows, reading, readAt, installation };
  await writePlan(scope);
  await writeRelease(scope, input);
  await reconcilePrintOrders(scope, recipient);
  await writeChanges(scope);
  await recordWaitingRequests(scope);
  await holdCanceledFulfillments(scope);
  await saveSale(scope);
  if (isFirst) await markRoutedWebhooksHandled(manager, { shopId: shop.id, now: readAt }, reading);
  const shippedLines = rows.prints.flatMap(({ printOrder, lines }) => (printOrder.state === 'shipped' ? lines : []));
  const isNothingLeft = shippedLines.every((line) => countLeftToFulfill(reading, line.shopifyLineItemId) === 0);
  await enqueueWaitingPush(app, manager, storefrontOrderId, { isNothingLeft });
  if (plan.replanAt) await enqueuePlan(manager, storefrontOrderId, plan.replanAt);
  return plan;
}

/**
 * Delays the acceptance of cancellation requests until no hold for an unknown print order is open
 * (docs/rules/created-once.md#cancellation).
 */
async function delayAcceptances(
  manager: EntityManager,
  { id: storefrontOrderId }: StorefrontOrder,
  plan: Plan,
): Promise<void> {
  const accepted = plan.cancellations.filter(({ answer }) => answer === 'accept');
  if (accepted.length === 0) return;
  const code: HoldCode = 'unknown_print_order';
  if (!(await manager.existsBy(Holds, { storefrontOrderId, code, resolvedAt: IsNull() }))) return;
  const message =
    'The print service has a print order for this order that Platen does not know. Someone must resolve the hold for that print order first.';
  for (const cancellation of accepted) Object.assign(cancellation, { answer: 'wait', message });
}
