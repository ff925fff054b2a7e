import { comparePrices } from '../quote/compare-prices.ts';
import type { PlanInput, PlannedHold } from './plan.ts';

/** Whether somebody must approve an order, by the shop's rules; the message says which rule and its figures. Pure. */
export function askApproval(input: PlanInput): PlannedHold[] {
  const { order, settings } = input;
  const { minimumTotal = null, firstTimeBuyers = false } = settings.approvalRules;
  const { amount, currencyCode } = order.currentTotalPriceSet.shopMoney;
  const why: string[] = [];
  if (minimumTotal !== null && comparePrices(amount, minimumTotal) >= 0)
    why.push(`its total of ${amount} ${currencyCode} is not below ${minimumTotal} ${currencyCode}`);
  for (const { tag, sku } of findTagged(input))
    why.push(sku ? `the product with SKU ${sku} has the tag "${tag}"` : `a product has the tag "${tag}"`);
  if (firstTimeBuyers && isFirstOrder(input)) why.push('the store knows of no earlier order of the buyer');
  if (settings.release === 'by_hand') why.push('this shop releases every order by hand');
  return why.length === 0 ? [] : [toApproval(`Somebody must approve this order: ${why.join('; ')}.`)];
}

/** The total has risen over the shop's minimum since the order was approved: what was approved is not what would be printed. */
export function isApprovalOutgrown({ order, settings, said }: PlanInput): boolean {
  const { minimumTotal = null } = settings.approvalRules;
  if (minimumTotal === null || said.approvedAt === null || said.approvedTotal === null) return false;
  const { amount } = order.currentTotalPriceSet.shopMoney;
  return comparePrices(amount, minimumTotal) >= 0 && comparePrices(amount, said.approvedTotal) > 0;
}

/** First-time buyers wait, and the store has not counted the buyer's orders yet. */
export function waitsForBuyer({ order, settings }: PlanInput): boolean {
  return settings.approvalRules.firstTimeBuyers === true && order.customerJourneySummary?.ready !== true;
}

/** A guest, of whom the store counts nothing, is taken for a first-time buyer. */
function isFirstOrder({ order }: PlanInput): boolean {
  const summary = order.customerJourneySummary;
  return summary?.ready === true && (summary.customerOrderIndex ?? 1) <= 1;
}

function findTagged({ order, settings }: PlanInput): { tag: string; sku: string | null }[] {
  const wanted = new Set((settings.approvalRules.productTags ?? []).map((tag) => tag.toLowerCase()));
  return order.lineItems
    .filter(({ unfulfilledQuantity }) => unfulfilledQuantity > 0)
    .flatMap(({ sku, product }) => {
      const tag = product?.tags.find((one) => wanted.has(one.trim().toLowerCase()));
      return tag === undefined ? [] : [{ tag, sku }];
    });
}

function toApproval(message: string): PlannedHold {
  return { code: 'needs_approval', field: null, message, shopifyFulfillmentOrderId: null, shopifyLineItemId: null };
}
