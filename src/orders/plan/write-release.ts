import { StorefrontOrders, type StorefrontOrder } from '../../database/orders.ts';
import { isApprovalOutgrown } from './ask-approval.ts';
import type { PlanInput } from './plan.ts';
import type { PlanScope } from './write-plan.ts';
import { writeTimeline } from '../write-timeline.ts';

/**
 * Keeps when an order is released, and what its approval was for: an approval is withdrawn when the total has risen over the shop's
 * minimum since, so that somebody looks at it again.
 */
export async function writeRelease(
  { manager, storefrontOrder, plan, reading }: PlanScope,
  input: PlanInput,
): Promise<void> {
  const { id, shopId, approvedAt, approvedTotal, releaseAt } = storefrontOrder;
  const set: Partial<Pick<StorefrontOrder, 'approvedAt' | 'approvedBy' | 'approvedTotal' | 'releaseAt'>> = {};
  if (plan.releaseAt?.getTime() !== releaseAt?.getTime()) set.releaseAt = plan.releaseAt;
  const { amount, currencyCode } = reading.currentTotalPriceSet.shopMoney;
  if (approvedAt !== null && approvedTotal === null) set.approvedTotal = amount;
  const isWithdrawn = isApprovalOutgrown(input) && plan.holds.some(({ code }) => code === 'needs_approval');
  if (isWithdrawn) Object.assign(set, { approvedAt: null, approvedBy: null, approvedTotal: null });
  if (Object.keys(set).length === 0) return;
  await manager.update(StorefrontOrders, { id }, set);
  if (!isWithdrawn) return;
  await writeTimeline(manager, {
    shopId,
    storefrontOrderId: id,
    kind: 'approval_withdrawn',
    message: `The approval is withdrawn: it was for a total of ${approvedTotal} ${currencyCode}, which is ${amount} ${currencyCode} now.`,
    data: { approvedTotal, total: amount },
  });
}
