import { In, IsNull, Not, type EntityManager } from 'typeorm';
import {
  Holds,
  OrderLines,
  StorefrontOrders,
  type Hold,
  type StorefrontOrder,
} from '../../database/entities/orders.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { recordUnprintedLines } from './record-unprinted-lines.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import type { Plan, PlannedHold } from './decide/plan.ts';
import { countFulfilled } from '../facts/store-quantities.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import type { PlanScope } from './plan-scope.ts';

/** Writes an order's plan: its lines, its holds and the reason why it is waiting. */
export async function writePlan(scope: PlanScope): Promise<void> {
  await recordUnprintedLines(scope);
  await writeLines(scope);
  await writeHolds(scope);
  await writeOutcome(scope);
}

async function writeLines({ manager, plan, reading, storefrontOrder }: PlanScope): Promise<void> {
  if (plan.lines.length === 0) return recordQuantities(manager, storefrontOrder, reading);
  const rows = plan.lines.map((line) => ({ storefrontOrderId: storefrontOrder.id, ...line }));
  await manager.upsert(OrderLines, rows, ['storefrontOrderId', 'shopifyLineItemId']);
  for (const { units, shopifyFulfillmentOrderId } of plan.requests) {
    for (const { shopifyLineItemId, quantity } of units) {
      // Recorded before the request is sent, so that a lost response does not lead to a second request.
      const which = { storefrontOrderId: storefrontOrder.id, shopifyLineItemId };
      const line = await manager.findOneBy(OrderLines, which);
      if (!line) continue;
      const requested = { ...line.requested, [shopifyFulfillmentOrderId]: quantity };
      await manager.update(OrderLines, which, { requested });
    }
  }
}

/** Records the quantities of known lines without a decision about any line. */
export async function recordQuantities(
  manager: EntityManager,
  { id: storefrontOrderId }: Pick<StorefrontOrder, 'id'>,
  reading: StoreReading,
): Promise<void> {
  for (const { id: shopifyLineItemId, currentQuantity: orderedQuantity } of reading.lineItems) {
    const fulfilledQuantity = countFulfilled(reading, shopifyLineItemId);
    await manager.update(OrderLines, { storefrontOrderId, shopifyLineItemId }, { orderedQuantity, fulfilledQuantity });
  }
}

const holdKey = (hold: PlannedHold | Hold): string =>
  JSON.stringify([hold.code, hold.field, hold.shopifyFulfillmentOrderId, hold.shopifyLineItemId]);

/** Reconciles the open holds with the plan by opening new holds and resolving those that the plan no longer contains. */
async function writeHolds({ app, manager, shop, storefrontOrder, plan }: PlanScope): Promise<void> {
  const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id };
  // Excludes holds that the plan does not resolve. Someone resolves the audit's holds by hand, and the hold of a failing step ends when the
  // step succeeds.
  const code = Not(In<HoldCode>(['unknown_print_order', 'step_failing']));
  const open = await manager.findBy(Holds, { ...about, code, printOrderId: IsNull(), resolvedAt: IsNull() });
  const wanted = new Map(plan.holds.map((hold) => [holdKey(hold), hold]));
  const isSame =
    open.length === wanted.size && open.every((hold) => wanted.get(holdKey(hold))?.message === hold.message);
  if (!isSame) await enqueueStoreUpdate(manager, storefrontOrder.id);
  for (const hold of open) {
    const now = wanted.get(holdKey(hold));
    if (now && now.message !== hold.message) await manager.update(Holds, { id: hold.id }, { message: now.message });
    if (wanted.delete(holdKey(hold))) continue;
    await manager.update(Holds, { id: hold.id }, { resolvedAt: app.clock.now() });
    await writeTimeline(manager, {
      ...about,
      kind: 'hold_resolved',
      message: `No longer held for this reason: ${hold.message}`,
      data: { code: hold.code },
    });
  }
  for (const hold of wanted.values()) {
    await manager.insert(Holds, { ...about, ...hold });
    await writeTimeline(manager, {
      ...about,
      kind: 'held',
      message: `Held: ${hold.message}`,
      data: { code: hold.code, field: hold.field },
    });
  }
}

/** Returns whether the plan uses up the one additional fulfillment request that someone allowed by hand. */
function usesUpAllowedRequest({ requests, rejections, cancellations }: Plan): boolean {
  return requests.length + rejections.length > 0 || cancellations.some(({ answer }) => answer !== 'wait');
}

/** Returns each line's variant ID. Platen stores these IDs because the store no longer shows them after a variant is deleted. */
function variantsOf({ lineItems }: StoreReading): StorefrontOrder['lineVariants'] {
  return Object.fromEntries(lineItems.flatMap(({ id, variant }) => (variant ? [[id, variant.id]] : [])));
}

async function writeOutcome({ manager, shop, storefrontOrder, plan, reading, readAt }: PlanScope): Promise<void> {
  const { outcome, reason } = plan;
  const changed =
    storefrontOrder.outcome !== outcome || storefrontOrder.outcomeReason !== reason || storefrontOrder.readAt === null;
  await manager.update(
    StorefrontOrders,
    { id: storefrontOrder.id },
    {
      outcome,
      outcomeReason: reason,
      name: storefrontOrder.name,
      referenceNumbers: storefrontOrder.referenceNumbers,
      placedAt: new Date(reading.createdAt),
      canceledAt: reading.cancelledAt === null ? null : new Date(reading.cancelledAt),
      readAt,
      // The store's times are in whole seconds, and the order may change again within the same second.
      coversUntil: new Date(Date.parse(reading.updatedAt) - 1),
      lineVariants: { ...storefrontOrder.lineVariants, ...variantsOf(reading) },
      ...(usesUpAllowedRequest(plan) ? { askAgainAt: null } : {}),
    },
  );
  if (!changed || (outcome === 'planned' && reason === null)) return;
  const words = { planned: 'Part of the order is waiting', waiting: 'Waiting', nothing_to_do: 'Nothing to do' }[
    outcome
  ];
  const message = `${words}: ${describeOutcome(reason ?? '')}`;
  await writeTimeline(manager, {
    shopId: shop.id,
    storefrontOrderId: storefrontOrder.id,
    kind: outcome === 'planned' ? 'waiting' : outcome,
    message,
    data: { reason },
  });
}
