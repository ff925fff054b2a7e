import { Fulfillments, type Fulfillment } from '../database/entities/packages.ts';
import { enqueueStoreUpdate } from '../orders/enqueue/enqueue-store-update.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { createFulfillment } from '../shopify/calls/fulfillments.ts';
import { CreateFulfillmentDocument } from '../shopify/generated/operations.ts';
import type { PrintToPush } from './packages-to-push.ts';
import { toOrderColumns } from '../orders/record/to-order-columns.ts';
import type { PushScope } from './push-scope.ts';
import { describeTrackingCodes } from '../orders/facts/describe-tracking-codes.ts';
import { toStoreFulfillment, type StoreFulfillment, type StoreFulfillments } from './store-fulfillments.ts';
import type { NewFulfillment } from './to-fulfillment.ts';

/** The longest time from the row's commit to the call. After a longer pause, another process may have taken over. */
const SEND_WITHIN_MS = 10_000;

/** The outcome of the single attempt. `overtaken`: another worker acted first, and nothing was sent. */
type Outcome = 'made' | 'unclear' | 'overtaken' | { refusal: ShopifyError };

/**
 * Creates a fulfillment with a single attempt, because the call has no idempotency key. Commits the fulfillment's row before the call.
 * After an unclear response, Platen reads the store before it tries again (docs/rules/created-once.md#fulfillments). Throws ShopifyError
 * if the call certainly created nothing.
 */
export async function createFulfillmentOnce(
  scope: PushScope,
  print: PrintToPush,
  wanted: NewFulfillment,
): Promise<Outcome> {
  const { app } = scope;
  const row = await claimCall(scope, print, wanted);
  if (!row) return 'overtaken';
  if (app.clock.now().getTime() - row.begunAt.getTime() > SEND_WITHIN_MS) {
    await endAttempt(scope, row, { state: 'refused' });
    return 'overtaken';
  }
  let made: StoreFulfillment;
  try {
    made = toStoreFulfillment(await createFulfillment(scope.admin, wanted.input));
  } catch (error) {
    if (!hadNoEffect(error)) {
      await recordUnclear(scope, print, row);
      return 'unclear';
    }
    await endAttempt(scope, row, { state: 'refused' });
    if (error.kind === 'user_error') return { refusal: error };
    throw error;
  }
  recordFulfillment(scope, print, row, wanted, made);
  return 'made';
}

/** Commits a claim for the call, unless the order's fulfillments have changed since the push was planned. */
async function claimCall(scope: PushScope, print: PrintToPush, wanted: NewFulfillment): Promise<Fulfillment | null> {
  const { app, order, rows } = scope;
  const row = await order.change(async (manager) => {
    const ofOrder = toOrderColumns(print.printOrder);
    const where = { storefrontOrderId: ofOrder.storefrontOrderId };
    const current = await manager.find(Fulfillments, { where, order: { id: 'ASC' } });
    if (toSignature(current) !== toSignature(rows)) return null;
    const claimed = {
      ...ofOrder,
      shopifyFulfillmentOrderId: wanted.fulfillmentOrderId,
      shopifyFulfillmentId: null,
      state: 'sending' as const,
      lines: wanted.lines,
      trackingCodes: wanted.tracking.map(({ number }) => number),
      begunAt: app.clock.now(),
      endedAt: null,
      sentEvents: [],
    };
    const { identifiers } = await manager.insert(Fulfillments, claimed);
    return { ...claimed, id: String(identifiers[0]?.['id']) };
  });
  if (row) rows.push(row);
  return row;
}

function toSignature(rows: readonly Fulfillment[]): string {
  return JSON.stringify(rows.map(({ id, state }) => [id, state]));
}

/**
 * Returns whether the call certainly had no effect. Only an error from the create call proves this, because later calls run after the
 * creation.
 */
function hadNoEffect(error: unknown): error is ShopifyError {
  return error instanceof ShopifyError && error.operation === CreateFulfillmentDocument.name && error.effect === 'none';
}

/** Records the new fulfillment. The rows are written together with the packages' outcome or the next claim. */
function recordFulfillment(
  scope: PushScope,
  { printOrder, lines }: PrintToPush,
  row: Fulfillment,
  wanted: NewFulfillment,
  made: StoreFulfillment,
): void {
  const notified = wanted.input.notifyCustomer === true;
  const skuOf = (id: string) => lines.find(({ shopifyLineItemId }) => shopifyLineItemId === id)?.sku ?? null;
  const done = { state: 'done' as const, shopifyFulfillmentId: made.id, endedAt: scope.app.clock.now() };
  Object.assign(row, done);
  scope.order.changeLater(async (manager) => {
    await manager.update(Fulfillments, { id: row.id }, done);
    await writeTimeline(manager, {
      ...toOrderColumns(printOrder),
      kind: 'fulfilled',
      message: `${printOrder.reference} is fulfilled in the store with ${describeTrackingCodes(row.trackingCodes)}.`,
      data: {
        shopifyFulfillmentId: made.id,
        trackingCodes: row.trackingCodes,
        lines: row.lines.map(({ shopifyLineItemId, quantity }) => ({ sku: skuOf(shopifyLineItemId), quantity })),
        notified,
      },
    });
    await enqueueStoreUpdate(manager, printOrder.storefrontOrderId);
  });
  scope.store = withFulfillment(scope.store, wanted, { ...made, lines: wanted.lines, tracking: wanted.tracking });
}

/** Adds the new fulfillment to the reading, so that Platen does not need to read the store again. */
function withFulfillment(
  store: StoreFulfillments,
  { taken }: NewFulfillment,
  made: StoreFulfillment,
): StoreFulfillments {
  const openLines = store.openLines.flatMap((line) => {
    const units = taken.filter((one) => one.line.id === line.id).reduce((sum, { quantity }) => sum + quantity, 0);
    return line.remaining > units ? [{ ...line, remaining: line.remaining - units }] : [];
  });
  return { ...store, openLines, fulfillments: [...store.fulfillments, made] };
}

async function recordUnclear(scope: PushScope, { printOrder }: PrintToPush, row: Fulfillment): Promise<void> {
  const unclear = { state: 'unclear' as const, endedAt: null };
  await scope.order.change(async (manager) => {
    await manager.update(Fulfillments, { id: row.id }, unclear);
    await writeTimeline(manager, {
      ...toOrderColumns(printOrder),
      kind: 'fulfillment_unclear',
      message: `The store did not confirm whether it created the fulfillment of ${printOrder.reference}. Platen looks for the fulfillment in the store before it tries again.`,
      data: { trackingCodes: row.trackingCodes },
    });
  });
  Object.assign(row, unclear);
}

async function endAttempt(
  { app, order }: PushScope,
  row: Fulfillment,
  { state }: Pick<Fulfillment, 'state'>,
): Promise<void> {
  const set = { state, endedAt: app.clock.now() };
  await order.change((manager) => manager.update(Fulfillments, { id: row.id }, set));
  Object.assign(row, set);
}
