import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { findReapprovalReason } from './decide-approval.ts';
import type { PlanInput } from './decide/plan.ts';
import type { PlanScope } from './plan-scope.ts';
import { writeTimeline } from '../record/write-timeline.ts';

/**
 * Records when the daily release sends an order, and which total and units its approval covers. Withdraws the approval if the total has
 * since risen and reaches the shop's minimum, or if units that need approval were added.
 */
export async function writeRelease(
  { manager, storefrontOrder, plan, reading }: PlanScope,
  input: PlanInput,
): Promise<void> {
  const { id, shopId, approvedAt, approvedTotal, approvedUnits, releaseAt } = storefrontOrder;
  const set: Partial<StorefrontOrder> = {};
  if (plan.releaseAt?.getTime() !== releaseAt?.getTime()) set.releaseAt = plan.releaseAt;
  const { amount } = reading.currentTotalPriceSet.shopMoney;
  if (approvedAt !== null && approvedTotal === null) set.approvedTotal = amount;
  if (approvedAt !== null && approvedUnits === null)
    set.approvedUnits = Object.fromEntries(reading.lineItems.map((line) => [line.id, line.currentQuantity]));
  const why = plan.holds.some(({ code }) => code === 'needs_approval') ? findReapprovalReason(input, plan.lines) : null;
  if (why !== null)
    Object.assign(set, { approvedAt: null, approvedBy: null, approvedTotal: null, approvedUnits: null });
  if (Object.keys(set).length === 0) return;
  await manager.update(StorefrontOrders, { id }, set as never);
  if (why === null) return;
  await writeTimeline(manager, {
    shopId,
    storefrontOrderId: id,
    kind: 'approval_withdrawn',
    message: `The approval was withdrawn: ${why}.`,
    data: { approvedTotal, total: amount },
  });
}
