import { countToPrint } from './count-to-print.ts';
import { decideLine, UNKNOWN_VARIANT, type LineDecision, type LineFacts } from './decide-line.ts';
import { findEarlyGate, findGate, findRequestGate, isUnpaid } from './find-gate.ts';
import { describeOutcome, type OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { Plan, PlanInput, PlannedHold, PlannedLine, PlannedRejection } from './plan.ts';
import { isFulfilledElsewhere, planFulfillmentOrder, type OpenLine } from './plan-fulfillment-order.ts';
import { findPrintFile } from './read-print-file.ts';
import {
  countFulfilled,
  UNFULFILLED_STATUSES,
  countLeftToFulfill,
  isAtFormerLocation,
  locationOf,
  toLinkKey,
} from '../../facts/store-quantities.ts';
import type { StoreFulfillmentOrder, StoreLineItem, StoreReading } from '../../facts/store-reading.ts';

const PAYABLE = new Set(['PAID', 'PARTIALLY_REFUNDED']);

/**
 * Plans an order (docs/rules/planning.md#path-of-an-order): decides which lines Platen prints, which problems hold them and which units to
 * print now.
 */
export function planOrder(input: PlanInput): Plan {
  const stop = findStopReason(input);
  if (stop) return stopPlan(input, stop);
  const { order } = input;
  const lines = decideLines(input);
  // Lines are not decided until the order has fulfillment orders, because `not_ours` is final.
  if (order.fulfillmentOrders.length === 0 && hasUnitsToShip(order, lines)) {
    return emptyPlan('waiting', 'no_fulfillment_orders');
  }
  if ([...lines.values()].every(({ decision }) => decision === 'not_ours')) {
    return { ...emptyPlan('nothing_to_do', 'no_line_of_ours'), lines: [...lines.values()] };
  }
  const plan = planFulfillmentOrders(input, lines);
  const toSend = isOfEarlierInstall(input) ? withNothingToSend(plan) : applyGates(input, plan);
  return { ...toSend, holds: [...toSend.holds, ...holdForgottenUnits(input)] };
}

/**
 * Holds units that an earlier installation sent to print and that are still left to fulfill. Their print orders are unknown, so Platen cannot
 * push their tracking codes. A person must therefore decide about them.
 */
function holdForgottenUnits(input: PlanInput): PlannedHold[] {
  const { order, shop } = input;
  const why = shop.hasPrintAccount
    ? 'Platen had to delete its record of the print order, and could not find these units at the print service.'
    : 'Platen had to delete its record of the print order, and cannot search the print service without a key.';
  return [...countHeldUnits(input)].map(([shopifyLineItemId, units]) => {
    const sku = order.lineItems.find(({ id }) => id === shopifyLineItemId)?.sku ?? null;
    const message = `${units} ${units === 1 ? 'unit' : 'units'} of ${sku === null ? 'a line without a SKU' : `SKU ${sku}`} went to print before Platen was removed from this store. ${why}`;
    return { code: 'printed_before', field: null, message, shopifyFulfillmentOrderId: null, shopifyLineItemId };
  });
}

/** Counts the units, by LineItem, that only forgotten print orders keep from being printed. */
export function countHeldUnits({ order, prints }: Pick<PlanInput, 'order' | 'prints'>): Map<string, number> {
  const forgotten = prints.filter(({ isForgotten = false }) => isForgotten);
  return new Map(
    forgotten.flatMap(({ shopifyLineItemId: id }) => {
      const ofLine = prints.filter(({ shopifyLineItemId }) => shopifyLineItemId === id);
      const toPrint = (counted: PlanInput['prints']): number =>
        countToPrint(countLeftToFulfill(order, id), countFulfilled(order, id), counted);
      const units = toPrint(ofLine.filter(({ isForgotten = false }) => !isForgotten)) - toPrint(ofLine);
      return units > 0 ? [[id, units]] : [];
    }),
  );
}

/**
 * Returns a plan that sends nothing further. Units already sent may still ship, so the plan records lines that were added later and counts
 * them as left to fulfill.
 */
function stopPlan(input: PlanInput, reason: OutcomeReason): Plan {
  const isNoted =
    ['canceled_by_hand', 'refunded', 'not_payable'].includes(reason) && input.order.fulfillmentOrders.length > 0;
  const lines = isNoted ? [...decideLines(input).values()] : [];
  return { ...emptyPlan('nothing_to_do', reason), lines, rejections: rejectStopped(input, reason) };
}

/** Applies the gates to units about to be sent. Units already sent are not recalled. */
function applyGates(input: PlanInput, plan: Plan): Plan {
  const isToSend =
    plan.wanted.length + plan.requests.length > 0 || plan.accepts.some((id) => hasUnitsToPrint(input, id));
  const gate = isToSend ? findGate(input, plan.lines) : findGateOfRest(input);
  // Units that the daily release has released stay released until they are sent.
  if (gate === null) return { ...plan, releaseAt: isToSend ? input.decisions.releaseAt : null };
  const accepts = plan.accepts.filter((id) => !hasUnitsToPrint(input, id));
  const nothingSent = { requests: [], accepts, wanted: [] };
  if (gate.kind === 'hold')
    return { ...plan, ...nothingSent, outcome: 'planned', reason: null, holds: [...gate.holds, ...plan.holds] };
  const { reason, until: replanAt, releaseAt = null } = gate;
  const waiting = { outcome: 'waiting' as const, reason, replanAt, releaseAt };
  return { ...plan, ...nothingSent, ...waiting, lines: [], holds: [], rejections: [], waits: [] };
}

/** Finds the gate of an order without units to send. Its drafts whose edits were accepted may still be confirmed. */
function findGateOfRest(input: PlanInput): ReturnType<typeof findGate> {
  if (input.prints.length === 0) return findEarlyGate(input, countLeftToFulfill(input.order, null) > 0);
  return input.prints.some(({ isEditedDraft }) => isEditedDraft) ? findRequestGate(input) : null;
}

/** Returns whether a fulfillment order still has units to print. Units already sent to print need no gate. */
function hasUnitsToPrint({ order, prints }: PlanInput, fulfillmentOrderId: string): boolean {
  const lines = order.fulfillmentOrders.find(({ id }) => id === fulfillmentOrderId)?.lineItems ?? [];
  return lines.some(({ remainingQuantity, lineItem: { id } }) => {
    const counted = findStartedPrints(prints, id);
    return remainingQuantity > 0 && countToPrint(countLeftToFulfill(order, id), countFulfilled(order, id), counted) > 0;
  });
}

/** Returns whether units of a line were sent to print and none are left to send. */
function isLineFullySent({ order, prints }: PlanInput, lineItemId: string): boolean {
  const counted = findStartedPrints(prints, lineItemId);
  return (
    counted.length > 0 &&
    countToPrint(countLeftToFulfill(order, lineItemId), countFulfilled(order, lineItemId), counted) === 0
  );
}

function findStartedPrints(prints: PlanInput['prints'], lineItemId: string): PlanInput['prints'] {
  return prints.filter(({ shopifyLineItemId, isReplaceable }) => shopifyLineItemId === lineItemId && !isReplaceable);
}

/**
 * Returns whether the order predates the current installation. Print orders of such an order that were already sent continue, but no
 * further units are printed.
 */
function isOfEarlierInstall({ order, shop, prints }: PlanInput): boolean {
  const isOlder = Date.parse(order.createdAt) < floorToSecond(shop.takesOrdersFrom);
  return isOlder && prints.every(({ isOfThisInstall }) => !isOfThisInstall);
}

function withNothingToSend(plan: Plan): Plan {
  const isWaiting = plan.outcome === 'waiting';
  const outcome = isWaiting ? { outcome: 'nothing_to_do' as const, reason: 'placed_before_install' as const } : {};
  return {
    ...plan,
    ...outcome,
    replanAt: null,
    holds: [],
    requests: [],
    accepts: [],
    rejections: [],
    cancellations: [],
    waits: [],
    wanted: [],
  };
}

function emptyPlan(outcome: Plan['outcome'], reason: OutcomeReason | null): Plan {
  return {
    outcome,
    reason,
    replanAt: null,
    releaseAt: null,
    lines: [],
    holds: [],
    requests: [],
    accepts: [],
    rejections: [],
    cancellations: [],
    waits: [],
    wanted: [],
    remainingForDrafts: new Map(),
  };
}

/** Returns why Platen prints nothing of the order, or null if it may print some. */
function findStopReason(input: PlanInput): OutcomeReason | null {
  const { order, shop, settings, prints, decisions } = input;
  if (order.cancelledAt !== null) return 'canceled';
  if (decisions.cancelAskedAt !== null) return 'canceled_by_hand';
  // A test order may remain as an unconfirmed draft, but a direct submit would print it.
  if (order.test && (settings.testOrders !== 'draft' || settings.submit !== 'draft')) return 'test_order';
  // Platen continues to print an order that has print orders, even if the shop's start date (`takesOrdersFrom`) is moved past the order.
  if (prints.length === 0 && Date.parse(order.createdAt) < floorToSecond(shop.takesOrdersFrom))
    return 'placed_before_install';
  if (PAYABLE.has(order.displayFinancialStatus ?? '') || isUnpaid(order)) return null;
  return order.displayFinancialStatus === 'REFUNDED' ? 'refunded' : 'not_payable';
}

/** Rejects the merchant's fulfillment requests for an order that is not printed, and states the reason. */
function rejectStopped({ order, shop }: PlanInput, reason: OutcomeReason): PlannedRejection[] {
  return order.fulfillmentOrders
    .filter(({ status, requestStatus }) => UNFULFILLED_STATUSES.has(status) && requestStatus === 'SUBMITTED')
    .filter((one) => locationOf(one, shop.locationId) === 'ours')
    .map(({ id }) => ({ shopifyFulfillmentOrderId: id, reason: 'OTHER', message: describeOutcome(reason) }));
}

/** Rounds down to whole seconds, like the store's timestamps. */
function floorToSecond(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}

function hasUnitsToShip(order: StoreReading, lines: Map<string, PlannedLine>): boolean {
  return order.lineItems.some(
    ({ id, requiresShipping, currentQuantity }) =>
      requiresShipping && currentQuantity > (lines.get(id)?.fulfilledQuantity ?? 0),
  );
}

function decideLines(input: PlanInput): Map<string, PlannedLine> {
  const { order, shop } = input;
  const places = { ours: new Set<string>(), merchant: new Set<string>(), other_service: new Set<string>() };
  for (const fulfillmentOrder of order.fulfillmentOrders) {
    if (!UNFULFILLED_STATUSES.has(fulfillmentOrder.status)) continue;
    const place = places[locationOf(fulfillmentOrder, shop.locationId)];
    const isFormer = isAtFormerLocation(fulfillmentOrder, shop);
    for (const { lineItem } of fulfillmentOrder.lineItems) {
      place.add(lineItem.id);
      if (isFormer) places.ours.add(lineItem.id);
    }
  }
  return new Map(
    order.lineItems.map((line) => {
      const place = { atOurLocation: places.ours.has(line.id), isMerchants: places.merchant.has(line.id) };
      const decided = decideOrderLine(input, line, place);
      const fulfilledQuantity = countFulfilled(order, line.id);
      return [
        line.id,
        {
          shopifyLineItemId: line.id,
          shopifyVariantId: line.variant?.id ?? input.deletedVariants.get(line.id)?.variantId ?? null,
          shopifyProductId: line.product?.id ?? null,
          sku: line.sku,
          ...decided,
          orderedQuantity: line.currentQuantity,
          fulfilledQuantity,
        },
      ];
    }),
  );
}

/** The location at which a line is waiting to be fulfilled. */
interface Place {
  /** Whether the location is Platen's, or was until someone deleted its fulfillment service. */
  atOurLocation: boolean;
  /** Whether the merchant manages the location. */
  isMerchants: boolean;
}

function decideOrderLine(input: PlanInput, line: StoreLineItem, place: Place): LineDecision {
  const before = input.notOurs.get(line.id);
  if (before !== undefined) return { decision: 'not_ours', reason: before };
  // A line that was sent to print stays a printed line (`ours`), even if its print link, its variant or the allowed hosts change.
  const isOnlySent = findStartedPrints(input.prints, line.id).every(({ isEditedDraft }) => !isEditedDraft);
  const isBegun = isLineFullySent(input, line.id);
  if (isBegun && isOnlySent) return { decision: 'ours', reason: null };
  const decided = decideLine(toLineFacts(input, line, place));
  const file = decided.decision === 'ours' ? findPrintFile(input, line) : null;
  const isFileRefused = (file?.fault ?? null) !== null;
  // A line whose units are all in an edited draft also stays `ours` if its file is refused or its variant was deleted. Any other decision
  // applies to such a line.
  if (isBegun && (isFileRefused || line.variant === null)) return { decision: 'ours', reason: null };
  return isFileRefused ? { decision: 'held', reason: 'print_file_refused' } : decided;
}

function toLineFacts(input: PlanInput, line: StoreLineItem, { atOurLocation, isMerchants }: Place): LineFacts {
  const hasPrintLink = input.links.has(toLinkKey(line));
  const deleted = line.variant === null ? (input.deletedVariants.get(line.id) ?? UNKNOWN_VARIANT) : null;
  const connection = deleted ? deleted.connection : (input.connections.get(line.variant?.id ?? '') ?? null);
  const { printsEverything, printsAtMerchantLocations } = input.settings;
  const word = input.unlinked.get(line.id) ?? (printsEverything ? 'printed' : null);
  const unlinked = word === 'own' || (isMerchants && printsAtMerchantLocations) ? word : null;
  const [wasOurs, wasAsked] = [input.wasOurs.has(line.id), input.asked.has(line.id)];
  return { line, hasPrintLink, connection, wasOurs, atOurLocation, deleted, unlinked, wasAsked };
}

function planFulfillmentOrders(input: PlanInput, lines: Map<string, PlannedLine>): Plan {
  const plan: Plan = { ...emptyPlan('planned', null), lines: [...lines.values()] };
  const plannedUnits = new Map<string, number>();
  const left = { any: false, ours: false };
  for (const fulfillmentOrder of input.order.fulfillmentOrders) {
    const open = openLines(fulfillmentOrder, lines);
    if (open.length === 0 || !UNFULFILLED_STATUSES.has(fulfillmentOrder.status)) continue;
    left.any = true;
    left.ours ||= !isFulfilledElsewhere(input, fulfillmentOrder);
    const reason = planFulfillmentOrder(input, plan, fulfillmentOrder, open, plannedUnits);
    if (reason) plan.waits.push({ shopifyFulfillmentOrderId: fulfillmentOrder.id, reason });
  }
  return { ...plan, ...toOutcome(plan, input, left) };
}

/** `left` states whether any units of Platen's lines are left to fulfill (`any`), and whether Platen fulfills some of them (`ours`). */
function toOutcome(
  plan: Plan,
  input: PlanInput,
  left: { any: boolean; ours: boolean },
): Pick<Plan, 'outcome' | 'reason' | 'replanAt'> {
  const scheduled = input.order.fulfillmentOrders
    .filter(({ status, fulfillAt }) => status === 'SCHEDULED' && fulfillAt !== null)
    .map(({ fulfillAt }) => Date.parse(fulfillAt ?? ''));
  const replanAt =
    scheduled.length > 0 ? new Date(Math.max(Math.min(...scheduled), input.now.getTime() + 60_000)) : null;
  const acts =
    plan.wanted.length + plan.holds.length + plan.requests.length + plan.accepts.length + plan.rejections.length;
  const [wait] = plan.waits;
  const reason = getNothingLeftReason(input.order, plan.lines);
  // An order that was completely printed and fulfilled stays `planned`.
  const isDone = !left.ours && reason !== 'already_fulfilled' && input.prints.every(({ isEnded }) => isEnded);
  if (acts > 0 || (input.prints.length > 0 && !isDone)) {
    // If one part is being printed while another is waiting, the reason for the wait must be visible.
    const unsent = plan.waits.find(({ shopifyFulfillmentOrderId: id }) => hasUnitsToPrint(input, id));
    // The order must never wait without a reason, even if all its print orders have ended and units are still left to fulfill.
    const isAllSent = acts === 0 && left.ours && input.prints.every(({ isEnded }) => isEnded);
    return { outcome: 'planned', reason: unsent?.reason ?? (isAllSent ? 'printed_already' : null), replanAt };
  }
  if (wait) return { outcome: 'waiting', reason: wait.reason, replanAt };
  const others = input.prints.length > 0 ? 'left_to_others' : 'no_line_of_ours';
  return { outcome: 'nothing_to_do', reason: left.any ? others : reason, replanAt: null };
}

/** Returns why none of Platen's lines has units left to fulfill in the store. */
function getNothingLeftReason(
  { fulfillmentOrders, totalRefundedSet }: StoreReading,
  lines: readonly PlannedLine[],
): OutcomeReason {
  const ours = lines.filter(({ decision }) => decision !== 'not_ours');
  const wanted = ours.filter(({ orderedQuantity }) => orderedQuantity > 0);
  if (wanted.length === 0 && ours.every(({ fulfilledQuantity }) => fulfilledQuantity === 0))
    return Number(totalRefundedSet.shopMoney.amount) > 0 ? 'lines_refunded' : 'lines_removed';
  const missing = wanted.filter((line) => line.fulfilledQuantity < line.orderedQuantity);
  if (missing.length === 0) return 'already_fulfilled';
  const ofMissing = fulfillmentOrders.filter(({ lineItems }) =>
    lineItems.some(({ lineItem }) => missing.some((line) => line.shopifyLineItemId === lineItem.id)),
  );
  if (ofMissing.some(({ requestStatus }) => requestStatus === 'CANCELLATION_ACCEPTED')) return 'cancellation_accepted';
  return ofMissing.some(({ status }) => status === 'INCOMPLETE') ? 'closed_in_store' : 'nothing_left';
}

/** Returns a fulfillment order's lines that have units left to fulfill and are not `not_ours`. */
function openLines(fulfillmentOrder: StoreFulfillmentOrder, lines: Map<string, PlannedLine>): OpenLine[] {
  return fulfillmentOrder.lineItems.flatMap(({ totalQuantity, remainingQuantity, lineItem }) => {
    const planned = lines.get(lineItem.id);
    return planned && planned.decision !== 'not_ours' && remainingQuantity > 0
      ? [{ planned, remaining: remainingQuantity, total: totalQuantity }]
      : [];
  });
}
