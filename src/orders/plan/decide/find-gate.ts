import { askApproval, waitsForBuyer, whyOutgrown } from '../ask-approval.ts';
import { nextDailyRelease } from './next-daily-release.ts';
import type { OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { PlanInput, PlannedHold, PlannedLine } from './plan.ts';

/** Keeps an order, or its unsent part, from going to print until someone decides, time passes or the store reports more. */
type Gate =
  | { kind: 'hold'; holds: PlannedHold[] }
  | { kind: 'wait'; reason: OutcomeReason; until: Date | null; releaseAt?: Date };

const UNPAID = new Set(['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID']);
/** A store without fraud analysis never assesses an order: no answer is awaited for this long, a pending analysis for longer. */
const SILENT_MINUTES = 15;
const PENDING_MINUTES = 60;
/** How often the store is checked for a missing answer, in case its webhook is lost. */
const LOOK_AGAIN_MINUTES = 5;

/** Whether the store says that an order is not paid. */
export function isUnpaid({ displayFinancialStatus }: PlanInput['order']): boolean {
  return UNPAID.has(displayFinancialStatus ?? 'PENDING');
}

/** The gates that apply even when nothing is about to be sent yet: payment and delay. */
export function findEarlyGate(input: PlanInput, isAnythingLeft: boolean): Gate | null {
  const { order, settings, now } = input;
  // An order fulfilled by hand before its payment has nothing to wait for.
  if (!isAnythingLeft) return null;
  if (isUnpaid(order) && settings.unpaidOrders === 'wait') return { kind: 'wait', reason: 'unpaid', until: null };
  const dueAt = minutesAfter(order.createdAt, settings.delayMinutes);
  return dueAt > now ? { kind: 'wait', reason: 'delay', until: dueAt } : null;
}

/**
 * Finds the gate for units about to be sent: a hold by hand, fraud, approval, delay, daily release. Gates that someone can resolve come
 * first, so that they are seen while the order waits anyway. Pure. `lines`: as decided.
 */
export function findGate(input: PlanInput, lines: readonly PlannedLine[]): Gate | null {
  const { order, settings, said, now } = input;
  if (isUnpaid(order) && settings.unpaidOrders === 'wait') return findEarlyGate(input, true);
  if (said.heldAt !== null) return held('held_by_hand', 'Someone put this order on hold.');
  const isApproved = said.approvedAt !== null && whyOutgrown(input, lines) === null;
  const holds = isApproved ? [] : [...holdRisk(input), ...askApproval(input)];
  if (holds.length > 0) return { kind: 'hold', holds };
  const early = findEarlyGate(input, true);
  if (early || isApproved) return early ?? findRelease(input);
  const pendingUntil = settings.highRiskOrders === 'hold' ? riskPendingUntil(order) : null;
  if (pendingUntil !== null && pendingUntil > now) return waitForStore('risk_pending', pendingUntil, now);
  const buyerUntil = minutesAfter(order.createdAt, PENDING_MINUTES);
  if (waitsForBuyer(input)) {
    if (buyerUntil > now) return waitForStore('buyer_pending', buyerUntil, now);
    return held('needs_approval', "The store does not say whether this is the buyer's first order.");
  }
  return findRelease(input);
}

/** The daily release lets all waiting orders go together. A released order stays released until it is sent. */
function findRelease({ settings, shop, said, now }: PlanInput): Gate | null {
  if (settings.release !== 'daily') return null;
  if (said.releaseAt !== null && said.releaseAt <= now) return null;
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

/** How long to wait for the store's fraud analysis; null: it is complete, or there will be no analysis. */
function riskPendingUntil({ risk, createdAt }: PlanInput['order']): Date | null {
  const levels = risk.assessments.map(({ riskLevel }) => riskLevel);
  if (levels.includes('PENDING')) return minutesAfter(createdAt, PENDING_MINUTES);
  // `NONE` means that no more assessments will come.
  return levels.length === 0 && risk.recommendation === 'NONE' ? minutesAfter(createdAt, SILENT_MINUTES) : null;
}

function waitForStore(reason: OutcomeReason, bound: Date, now: Date): Gate {
  const soon = now.getTime() + LOOK_AGAIN_MINUTES * 60_000;
  return { kind: 'wait', reason, until: new Date(Math.min(bound.getTime(), soon)) };
}

function minutesAfter(time: string, minutes: number): Date {
  return new Date(Date.parse(time) + minutes * 60_000);
}

function held(code: 'held_by_hand' | 'needs_approval', message: string): Gate {
  return { kind: 'hold', holds: [toHold(code, message)] };
}

/** A hold of the whole order. */
function toHold(code: PlannedHold['code'], message: string): PlannedHold {
  return { code, field: null, message, shopifyFulfillmentOrderId: null, shopifyLineItemId: null };
}
