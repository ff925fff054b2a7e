import { comparePrices } from '../quote/compare-prices.ts';
import type { PlanInput, PlannedHold, PlannedLine } from './decide/plan.ts';

/** Returns a hold if the shop's rules require approval for the order. The message names each rule and its figures. Pure. */
export function decideApproval(input: PlanInput): PlannedHold[] {
  const { order, settings } = input;
  const { minimumTotal = null, firstTimeBuyers = false } = settings.approvalRules;
  const { amount, currencyCode } = order.currentTotalPriceSet.shopMoney;
  const why: string[] = [];
  if (minimumTotal !== null && comparePrices(amount, minimumTotal) >= 0)
    why.push(`its total of ${amount} ${currencyCode} is at or above ${minimumTotal} ${currencyCode}`);
  for (const { tag, sku } of findTaggedLines(input))
    why.push(sku ? `the product with SKU ${sku} has the tag "${tag}"` : `a product has the tag "${tag}"`);
  if (firstTimeBuyers && isFirstOrder(input)) why.push('the store has no earlier order from this buyer');
  if (settings.release === 'by_hand') why.push('this shop releases every order by hand');
  return why.length === 0 ? [] : [toApproval(`This order needs approval: ${why.join('; ')}.`)];
}

/**
 * Returns why the approval no longer covers the order: the total has risen and reaches the shop's minimum, or units that need approval were
 * added. Returns null if the order has no approval, or if its approval covers everything to print.
 */
export function findReapprovalReason(input: PlanInput, lines: readonly PlannedLine[]): string | null {
  const { order, settings, decisions } = input;
  if (decisions.approvedAt === null) return null;
  const { minimumTotal = null } = settings.approvalRules;
  const { amount, currencyCode } = order.currentTotalPriceSet.shopMoney;
  if (minimumTotal !== null && decisions.approvedTotal !== null) {
    const isOutgrown = comparePrices(amount, minimumTotal) >= 0 && comparePrices(amount, decisions.approvedTotal) > 0;
    if (isOutgrown)
      return `it covered a total of ${decisions.approvedTotal} ${currencyCode}, but the total is now ${amount} ${currencyCode}`;
  }
  const added = findAddedUnits(input, lines).map(({ units, sku }) => `${units} of ${sku ?? 'a line without a SKU'}`);
  return added.length === 0 ? null : `units were added to the order later (${added.join(', ')})`;
}

/**
 * Returns the units added since the approval that need a new approval: units that Platen prints, if their product has a tag that requires
 * approval or if the shop releases every order by hand.
 */
function findAddedUnits(input: PlanInput, lines: readonly PlannedLine[]): { units: number; sku: string | null }[] {
  const { settings, decisions, order } = input;
  if (decisions.approvedUnits === null) return [];
  const { approvedUnits } = decisions;
  const tagged = new Set(findTaggedLines(input).map(({ id }) => id));
  const ours = new Set(lines.filter(({ decision }) => decision !== 'not_ours').map((line) => line.shopifyLineItemId));
  return order.lineItems
    .filter(({ id }) => ours.has(id) && (settings.release === 'by_hand' || tagged.has(id)))
    .map(({ id, sku, currentQuantity }) => ({ sku, units: currentQuantity - (approvedUnits[id] ?? 0) }))
    .filter(({ units }) => units > 0);
}

/** Returns whether first-time buyers need approval and the store has not counted this buyer's orders yet. */
export function isBuyerHistoryPending({ order, settings }: PlanInput): boolean {
  return settings.approvalRules.firstTimeBuyers === true && order.customerJourneySummary?.ready !== true;
}

/** The store does not count guests' orders, so each guest is treated as a first-time buyer. */
function isFirstOrder({ order }: PlanInput): boolean {
  const summary = order.customerJourneySummary;
  return summary?.ready === true && (summary.customerOrderIndex ?? 1) <= 1;
}

function findTaggedLines({ order, settings }: PlanInput): { id: string; tag: string; sku: string | null }[] {
  const wanted = new Set((settings.approvalRules.productTags ?? []).map((tag) => tag.toLowerCase()));
  return order.lineItems
    .filter(({ unfulfilledQuantity }) => unfulfilledQuantity > 0)
    .flatMap(({ id, sku, product }) => {
      const tag = product?.tags.find((one) => wanted.has(one.trim().toLowerCase()));
      return tag === undefined ? [] : [{ id, tag, sku }];
    });
}

function toApproval(message: string): PlannedHold {
  return { code: 'needs_approval', field: null, message, shopifyFulfillmentOrderId: null, shopifyLineItemId: null };
}
