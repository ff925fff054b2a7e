import type { App } from '../app.ts';
import { enqueuePlan } from '../orders/enqueue/enqueue-plan.ts';
import { isUnreconciled } from '../orders/rebuild/rebuild-order.ts';
import { releaseBeforePush } from '../store-status/hold-in-store.ts';
import { holdRefusedPush, toRefusal } from './hold-refused-push.ts';
import { createFulfillmentOnce } from './create-fulfillment-once.ts';
import { planPush, type GroupToFulfill } from './plan-push.ts';
import { openPushScope, type PushScope } from './push-scope.ts';
import { settlePackages } from './settle-packages.ts';
import { nextReadAt, settleUnclearFulfillments } from './settle-unclear-fulfillments.ts';
import { readStoreFulfillments, type StoreFulfillments } from './store-fulfillments.ts';
import { toFulfillments } from './to-fulfillment.ts';
import { openOrder } from '../orders/rows/order-session.ts';
import { endStepWaits } from '../orders/waits/end-step-waits.ts';
import { updateTracking } from './update-tracking.ts';
import { enqueuePush } from '../orders/enqueue/enqueue-push.ts';

/** Maximum number of times that a push reads and updates the store while the store keeps changing. */
const ROUNDS = 3;
const RETRY_SECONDS = 30;

/**
 * Updates the store's fulfillments to match an order's packages (docs/rules/planning.md#fulfillments). Each group of items and codes
 * becomes one fulfillment, to which later codes are added. Runs in the order's queue. Safe to repeat at any time.
 * Throws ShopifyError if the store cannot be reached or refuses the app itself.
 */
export async function pushFulfillments(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const begunAt = app.clock.now();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const order = await openOrder(app, { storefrontOrderId });
    if (!order) return;
    // A restored database has no record of earlier calls that may still create a fulfillment.
    const installation = await order.readInstallation();
    const { quietUntil } = installation;
    if (quietUntil !== null && quietUntil > begunAt)
      return pushLater(app, storefrontOrderId, (quietUntil.getTime() - begunAt.getTime()) / 1000 + 1);
    const scope = await openPushScope(app, order);
    // The plan that rebuilds the order enqueues the push.
    if (scope && isUnreconciled({ ...scope, installation })) return enqueuePlan(app.db, storefrontOrderId);
    if (!scope || (await pushRound(scope)) === 'done')
      return order.change((manager) => endStepWaits(app, manager, { storefrontOrderId }, 'push', begunAt));
  }
  // The store changed during every round.
  await pushLater(app, storefrontOrderId, RETRY_SECONDS);
}

function pushLater(app: App, storefrontOrderId: string, seconds: number): Promise<void> {
  return enqueuePush(app.db, storefrontOrderId, { runAt: new Date(app.clock.now().getTime() + seconds * 1000) });
}

/** Runs one round. Returns 'again' if the order must be read again. */
async function pushRound(scope: PushScope): Promise<'done' | 'again'> {
  if (await releaseBeforePush(scope)) return 'again';
  await settleUnclearFulfillments(scope);
  const { updates, groups } = planPush(scope.prints, scope.rows, scope.store);
  for (const update of updates) await updateTracking(scope, update);
  try {
    for (const group of groups) if ((await fulfillGroup(scope, group)) === 'again') return 'again';
    await settlePackages(scope);
  } finally {
    await scope.order.settle();
  }
  const runAt = nextReadAt(scope);
  if (runAt) await enqueuePush(scope.app.db, scope.storefrontOrder.id, { runAt });
  return 'done';
}

async function fulfillGroup(scope: PushScope, group: GroupToFulfill): Promise<'done' | 'again'> {
  for (const wanted of toFulfillments(group, scope.store.openLines, scope.settings.notifyCustomer)) {
    const outcome = await createFulfillmentOnce(scope, group.print, wanted);
    if (outcome === 'overtaken') return 'again';
    if (typeof outcome === 'string') continue;
    if (await hasChanged(scope, group)) return 'again';
    await holdRefusedPush(scope, group.print.printOrder, toRefusal(outcome.refusal, wanted.tracking));
  }
  return 'done';
}

/** Returns whether the store changed before the refusal, because someone else acted or an earlier call took effect late. */
async function hasChanged(
  { app, admin, shop, storefrontOrder, store }: PushScope,
  group: GroupToFulfill,
): Promise<boolean> {
  const fresh = await readStoreFulfillments(app, shop, admin, storefrontOrder.shopifyOrderId);
  return toSignature(fresh, group) !== toSignature(store, group);
}

function toSignature({ openLines, fulfillments }: StoreFulfillments, { items }: GroupToFulfill): string {
  const isOurs = (line: { shopifyLineItemId: string }): boolean =>
    items.some(({ shopifyLineItemId }) => shopifyLineItemId === line.shopifyLineItemId);
  const made = fulfillments.filter(({ lines }) => lines.some(isOurs)).map(({ id, isActive }) => [id, isActive]);
  return JSON.stringify([openLines.filter(isOurs), made]);
}
