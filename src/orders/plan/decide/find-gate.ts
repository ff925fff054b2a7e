import { decideApproval, isBuyerHistoryPending, findReapprovalReason } from '../decide-approval.ts';
import { nextDailyRelease } from './next-daily-release.ts';
import type { OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { PlanInput, PlannedHold, PlannedLine } from './plan.ts';

/**
 * A condition that keeps an order, or its unsent part, from being printed until someone makes a decision, a time passes or the store has
 * more data.
 */
type Gate =
  | { kind: 'hold'; holds: PlannedHold[] }
  | { kind: 'wait'; reason: OutcomeReason; until: Date | null; releaseAt?: Date };

const UNPAID = new Set(['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID']);
/** How long to wait for a fraud analysis to begin. A store without fraud analysis never assesses an order. */
const ANALYSIS_START_MINUTES = 15;
/** How long to wait for a pending fraud analysis, or for the store to count the buyer's orders. */
const PENDING_MINUTES = 60;
/** How often to read the order again for a missing result, in case the store's webhook is lost. */
const RECHECK_MINUTES = 5;

/** Returns whether the store reports an order as not paid. */
export function isUnpaid({ displayFinancialStatus }: PlanInput['order']): boolean {
  return UNPAID.has(displayFinancialStatus ?? 'PENDING');
}

/** Finds a gate that applies even when no units are about to be sent: payment or delay. */
export function findEarlyGate(input: PlanInput, hasRemainingUnits: boolean): Gate | null {
  const { order, settings, now } = input;
  // An order that was fulfilled by hand before payment has nothing left to wait for.
  if (!hasRemainingUnits) return null;
  if (isUnpaid(order) && settings.unpaidOrders === 'wait') return { kind: 'wait', reason: 'unpaid', until: null };
  const dueAt = minutesAfter(order.createdAt, settings.delayMinutes);
  return dueAt > now ? { kind: 'wait', reason: 'delay', until: dueAt } : null;
}

/** Finds the gate that also applies to a draft whose edits were accepted: nothing that the buyer asks to remove is printed. */
export function findRequestGate({ order }: PlanInput): Gate | null {
  const isOpen = order.displayRequestedEditStatus === 'REQUESTED';
  return isOpen ? { kind: 'wait', reason: 'edit_requested', until: null } : null;
}

/**
 * Finds the gate for units about to be sent: an unknown print order, a manual hold, fraud, approval, the buyer's request, delay or daily release. Gates that someone can resolve come
 * first, so that the merchant sees them while the order waits for a time or the store. Pure. `lines` contains the lines with their
 * decisions.
 */
export function findGate(input: PlanInput, lines: readonly PlannedLine[]): Gate | null {
  const { order, settings, decisions, now } = input;
  // Its units may be the ones that would be sent. The order is held already.
  if (input.hasUnknownOrder) return { kind: 'hold', holds: [] };
  if (isUnpaid(order) && settings.unpaidOrders === 'wait') return findEarlyGate(input, true);
  if (decisions.heldAt !== null) return held('held_by_hand', 'Someone put this order on hold.');
  const isApproved = decisions.approvedAt !== null && findReapprovalReason(input, lines) === null;
  const holds = isApproved ? [] : [...holdRisk(input), ...decideApproval(input)];
  if (holds.length > 0) return { kind: 'hold', holds };
  const early = findRequestGate(input) ?? findEarlyGate(input, true);
  if (early || isApproved) return early ?? findRelease(input);
  const pendingUntil = settings.highRiskOrders === 'hold' ? findRiskDeadline(order) : null;
  if (pendingUntil !== null && pendingUntil > now) return waitForStore('risk_pending', pendingUntil, now);
  const buyerUntil = minutesAfter(order.createdAt, PENDING_MINUTES);
  if (isBuyerHistoryPending(input)) {
    if (buyerUntil > now) return waitForStore('buyer_pending', buyerUntil, now);
    return held('needs_approval', "The store does not show whether this is the buyer's first order.");
  }
  return findRelease(input);
}

/** The daily release sends all waiting orders together. A released order stays released until it is sent. */
function findRelease({ settings, shop, decisions, now }: PlanInput): Gate | null {
  if (settings.release !== 'daily') return null;
  if (decisions.releaseAt !== null && decisions.releaseAt <= now) return null;
  const releaseAt = nextDailyRelease(now, settings.dailyReleaseAt, shop.timeZone);
  return { kind: 'wait', reason: 'daily_release', until: releaseAt, releaseAt };
}

function holdRisk({ order, settings }: PlanInput): PlannedHold[] {
  if (settings.highRiskOrders !== 'hold') return [];
  const isHigh = order.risk.assessments.some(({ riskLevel }) => riskLevel === 'HIGH');
  if (!isHigh && order.risk.recommendation !== 'CANCEL') return [];
  const says = isHigh ? 'reports a high risk of fraud' : 'recommends canceling this order as likely fraud';
  return [toHold('high_risk', `The store's fraud analysis ${says}.`)];
}

/** Returns the time until which to wait for the store's fraud analysis, or null if the analysis is complete or none will come. */
function findRiskDeadline({ risk, createdAt }: PlanInput['order']): Date | null {
  const levels = risk.assessments.map(({ riskLevel }) => riskLevel);
  if (levels.includes('PENDING')) return minutesAfter(createdAt, PENDING_MINUTES);
  // `NONE` means that the store will not add any assessments.
  return levels.length === 0 && risk.recommendation === 'NONE' ? minutesAfter(createdAt, ANALYSIS_START_MINUTES) : null;
}

function waitForStore(reason: OutcomeReason, bound: Date, now: Date): Gate {
  const soon = now.getTime() + RECHECK_MINUTES * 60_000;
  return { kind: 'wait', reason, until: new Date(Math.min(bound.getTime(), soon)) };
}

function minutesAfter(time: string, minutes: number): Date {
  return new Date(Date.parse(time) + minutes * 60_000);
}

function held(code: 'held_by_hand' | 'needs_approval', message: string): Gate {
  return { kind: 'hold', holds: [toHold(code, message)] };
}

/** Creates a hold for the whole order. */
function toHold(code: PlannedHold['code'], message: string): PlannedHold {
  return { code, field: null, message, shopifyFulfillmentOrderId: null, shopifyLineItemId: null };
}
