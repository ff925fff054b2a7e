import { decideLine, type LineDecision } from './decide-line.ts';
import type { OutcomeReason } from './outcome-reasons.ts';
import type { Plan, PlanInput, PlannedLine } from './plan.ts';
import { planFulfillmentOrder, type OpenLine } from './plan-fulfillment-order.ts';
import { fulfilledOf, LEFT_STATUSES, leftToFulfill, locationOf } from './store-quantities.ts';
import type { StoreFulfillmentOrder, StoreLineItem, StoreReading } from './store-reading.ts';

const PAYABLE = new Set(['PAID', 'PARTIALLY_REFUNDED']);
const UNPAID = new Set(['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID']);

/** What becomes of an order (design, "What becomes of an order"): which lines are ours, what holds, what to print now. */
export function planOrder(input: PlanInput): Plan {
  const stop = whyNothingToDo(input);
  if (stop) return emptyPlan('nothing_to_do', stop);
  const { order, settings, now } = input;
  const lines = decideLines(input);
  // Without fulfillment orders nothing can be decided for good: "not ours" stands once it is said.
  if (order.fulfillmentOrders.length === 0 && isAnythingToShip(order, lines)) {
    return emptyPlan('waiting', 'no_fulfillment_orders');
  }
  if ([...lines.values()].every(({ decision }) => decision === 'not_ours')) {
    return { ...emptyPlan('nothing_to_do', 'no_line_of_ours'), lines: [...lines.values()] };
  }
  if (UNPAID.has(order.displayFinancialStatus ?? 'PENDING')) return emptyPlan('waiting', 'unpaid');
  const dueAt = new Date(Date.parse(order.createdAt) + settings.delayMinutes * 60_000);
  if (dueAt > now && leftToFulfill(order, null) > 0) {
    return { ...emptyPlan('waiting', 'delay'), lookAgainAt: dueAt };
  }
  return planFulfillmentOrders(input, lines);
}

function emptyPlan(outcome: Plan['outcome'], reason: OutcomeReason | null): Plan {
  return { outcome, reason, lookAgainAt: null, lines: [], holds: [], requests: [], accepts: [], waits: [], wanted: [] };
}

function whyNothingToDo({ order, shop, prints }: PlanInput): OutcomeReason | null {
  if (order.cancelledAt !== null) return 'canceled';
  if (order.test) return 'test_order';
  // What was taken in once stays ours, whatever the setting became since.
  if (prints.length === 0 && Date.parse(order.createdAt) < wholeSecond(shop.takesOrdersFrom))
    return 'placed_before_install';
  const status = order.displayFinancialStatus ?? 'PENDING';
  return PAYABLE.has(status) || UNPAID.has(status) ? null : 'not_payable';
}

/** The store's times are whole seconds. */
function wholeSecond(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}

function isAnythingToShip(order: StoreReading, lines: Map<string, PlannedLine>): boolean {
  return order.lineItems.some(
    ({ id, requiresShipping, currentQuantity }) =>
      requiresShipping && currentQuantity > (lines.get(id)?.fulfilledQuantity ?? 0),
  );
}

function decideLines(input: PlanInput): Map<string, PlannedLine> {
  const { order, shop } = input;
  const atOurs = new Set<string>();
  for (const fulfillmentOrder of order.fulfillmentOrders) {
    if (!LEFT_STATUSES.has(fulfillmentOrder.status) || locationOf(fulfillmentOrder, shop.locationId) !== 'ours')
      continue;
    for (const line of fulfillmentOrder.lineItems) atOurs.add(line.lineItem.id);
  }
  return new Map(
    order.lineItems.map((line) => {
      const decided = decideOne(input, line, atOurs.has(line.id));
      const fulfilledQuantity = fulfilledOf(order, line.id);
      return [
        line.id,
        {
          shopifyLineItemId: line.id,
          sku: line.sku,
          ...decided,
          orderedQuantity: line.currentQuantity,
          fulfilledQuantity,
        },
      ];
    }),
  );
}

function decideOne(input: PlanInput, line: StoreLineItem, atOurLocation: boolean): LineDecision {
  const before = input.notOurs.get(line.id);
  if (before !== undefined) return { decision: 'not_ours', reason: before };
  const variantId = line.variant?.id ?? '';
  return decideLine({
    line,
    hasPrintLink: input.links.has(variantId),
    connection: input.connections.get(variantId) ?? null,
    atOurLocation,
  });
}

function planFulfillmentOrders(input: PlanInput, lines: Map<string, PlannedLine>): Plan {
  const plan: Plan = { ...emptyPlan('planned', null), lines: [...lines.values()] };
  const spoken = new Map<string, number>();
  let anyLeft = false;
  for (const fulfillmentOrder of input.order.fulfillmentOrders) {
    const open = openLines(fulfillmentOrder, lines);
    if (open.length === 0 || !LEFT_STATUSES.has(fulfillmentOrder.status)) continue;
    anyLeft = true;
    const reason = planFulfillmentOrder(input, plan, fulfillmentOrder, open, spoken);
    if (reason) plan.waits.push({ shopifyFulfillmentOrderId: fulfillmentOrder.id, reason });
  }
  return { ...plan, ...toOutcome(plan, input, anyLeft) };
}

function toOutcome(plan: Plan, input: PlanInput, anyLeft: boolean): Pick<Plan, 'outcome' | 'reason' | 'lookAgainAt'> {
  const scheduled = input.order.fulfillmentOrders
    .filter(({ status, fulfillAt }) => status === 'SCHEDULED' && fulfillAt !== null)
    .map(({ fulfillAt }) => Date.parse(fulfillAt ?? ''));
  const lookAgainAt =
    scheduled.length > 0 ? new Date(Math.max(Math.min(...scheduled), input.now.getTime() + 60_000)) : null;
  const acts =
    plan.wanted.length + plan.holds.length + plan.requests.length + plan.accepts.length + input.prints.length;
  const [wait] = plan.waits;
  if (acts > 0) return { outcome: 'planned', reason: null, lookAgainAt };
  if (wait) return { outcome: 'waiting', reason: wait.reason, lookAgainAt };
  return { outcome: 'nothing_to_do', reason: anyLeft ? 'no_line_of_ours' : 'already_fulfilled', lookAgainAt: null };
}

/** Lines of a fulfillment order that are left to fulfil and not somebody else's. */
function openLines(fulfillmentOrder: StoreFulfillmentOrder, lines: Map<string, PlannedLine>): OpenLine[] {
  return fulfillmentOrder.lineItems.flatMap(({ totalQuantity, remainingQuantity, lineItem }) => {
    const planned = lines.get(lineItem.id);
    return planned && planned.decision !== 'not_ours' && remainingQuantity > 0
      ? [{ planned, remaining: remainingQuantity, total: totalQuantity }]
      : [];
  });
}
