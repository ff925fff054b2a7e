import type { EntityManager } from 'typeorm';
import { Fulfillments, Packages, type Fulfillment } from '../database/entities/packages.ts';
import { enqueueStoreUpdate } from '../orders/enqueue/enqueue-store-update.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import type { PrintToPush } from './packages-to-push.ts';
import { isOutcomeUnknown } from './plan-push.ts';
import { toOrderColumns } from '../orders/record/to-order-columns.ts';
import type { PushScope } from './push-scope.ts';
import { describeTrackingCodes } from '../orders/facts/describe-tracking-codes.ts';
import { hasTrackingCode, type LineUnits, type StoreFulfillment } from './store-fulfillments.ts';

/**
 * Seconds after an unclear call at which Platen reads the store again. A fulfillment that is still absent from the last reading was not
 * created.
 */
const READ_DELAYS_SECONDS: readonly number[] = [5, 30, 120];
/** If the quiet time is short, the store is read sooner. Three quiet times cover sending the call, a stalled process and a late effect. */
const LAST_IN_QUIET_TIMES = 3;

/**
 * Uses a newer reading of the store to resolve fulfillments with an unknown outcome. A fulfillment that the store shows was created. A
 * fulfillment that is absent after two minutes may be created again (docs/rules/created-once.md#fulfillments).
 */
export async function settleUnclearFulfillments(scope: PushScope): Promise<void> {
  for (const row of scope.rows.filter(isOutcomeUnknown)) {
    const found = scope.store.fulfillments.find((one) => isCreatedFrom(row, one, scope.rows));
    if (found) await recordFound(scope, row, found);
    else if (ageOf(scope, row) >= (listReadDelays(scope).at(-1) ?? 0)) await endAbsentFulfillment(scope, row);
  }
}

/** Returns when to read the store again for fulfillments with an unknown outcome. Returns null if there are no such fulfillments. */
export function nextReadAt(scope: Pick<PushScope, 'app' | 'rows'>): Date | null {
  const { app, rows } = scope;
  const times = rows.filter(isOutcomeUnknown).map(({ begunAt }) => {
    const readTimes = listReadDelays(scope).map((seconds) => begunAt.getTime() + seconds * 1000);
    return readTimes.find((at) => at > app.clock.now().getTime()) ?? app.clock.now().getTime();
  });
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

function listReadDelays({ app }: Pick<PushScope, 'app'>): number[] {
  const last = LAST_IN_QUIET_TIMES * app.config.print.submitQuietSeconds;
  return READ_DELAYS_SECONDS.map((seconds) => Math.min(seconds, last));
}

/**
 * Returns whether the store's fulfillment `one` was created for `row`: it has exactly the same lines and at least one of the row's codes.
 * The fulfillment may have been canceled since.
 */
function isCreatedFrom(row: Fulfillment, one: StoreFulfillment, rows: readonly Fulfillment[]): boolean {
  if (rows.some(({ shopifyFulfillmentId }) => shopifyFulfillmentId === one.id)) return false;
  return (
    toSignature(one.lines) === toSignature(row.lines) && row.trackingCodes.some((code) => hasTrackingCode(one, code))
  );
}

function toSignature(lines: readonly LineUnits[]): string {
  const units = new Map<string, number>();
  for (const { shopifyLineItemId, quantity } of lines)
    units.set(shopifyLineItemId, (units.get(shopifyLineItemId) ?? 0) + quantity);
  return JSON.stringify([...units].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function ageOf({ app }: PushScope, { begunAt }: Fulfillment): number {
  return (app.clock.now().getTime() - begunAt.getTime()) / 1000;
}

async function recordFound(scope: PushScope, row: Fulfillment, { id, isActive }: StoreFulfillment): Promise<void> {
  const endedAt = scope.app.clock.now();
  const print = scope.prints.find(({ printOrder }) => printOrder.id === row.printOrderId);
  const done = { state: 'done' as const, shopifyFulfillmentId: id, endedAt };
  await scope.order.change(async (manager) => {
    await manager.update(Fulfillments, { id: row.id }, done);
    if (print && !isActive) await markCanceledAsPushed(scope, manager, print, row);
    const data = { shopifyFulfillmentId: id, trackingCodes: row.trackingCodes };
    const message = `The store has created the fulfillment with ${describeTrackingCodes(row.trackingCodes)} after all.`;
    if (print) await writeTimeline(manager, { ...toOrderColumns(print.printOrder), kind: 'fulfilled', message, data });
    await enqueueStoreUpdate(manager, row.storefrontOrderId);
  });
  Object.assign(row, done);
}

/**
 * Marks a canceled fulfillment's packages as pushed. The fulfillment was canceled before Platen found it, and it must not be created again.
 */
async function markCanceledAsPushed(
  { app }: PushScope,
  manager: EntityManager,
  print: PrintToPush,
  { trackingCodes }: Fulfillment,
): Promise<void> {
  for (const one of print.packages.filter(({ trackingCode }) => trackingCodes.includes(trackingCode))) {
    one.pushedAt ??= app.clock.now();
    await manager.update(Packages, { id: one.id }, { pushedAt: one.pushedAt });
  }
}

async function endAbsentFulfillment(scope: PushScope, row: Fulfillment): Promise<void> {
  const ended = { state: 'refused' as const, endedAt: scope.app.clock.now() };
  const print = scope.prints.find(({ printOrder }) => printOrder.id === row.printOrderId);
  await scope.order.change(async (manager) => {
    await manager.update(Fulfillments, { id: row.id }, ended);
    const message = `The store has not created the fulfillment with ${describeTrackingCodes(row.trackingCodes)}, so Platen creates it again.`;
    const data = { trackingCodes: row.trackingCodes };
    if (print)
      await writeTimeline(manager, { ...toOrderColumns(print.printOrder), kind: 'fulfillment_absent', message, data });
  });
  Object.assign(row, ended);
}
