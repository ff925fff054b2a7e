import { IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import { claimPaymentProbe, markPaymentAccepted, markPaymentRefused } from '../../shops/print-account/print-account.ts';
import { isAtTestHost } from '../waits/answer-print-error.ts';
import { enqueueTellStore } from '../enqueue/enqueue-tell-store.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHold } from '../record/hold-print-order.ts';
import { waitToSubmit, type SubmitScope } from './submit-scope.ts';
import { writeTimeline } from '../record/write-timeline.ts';

const CODE: HoldCode = 'payment_refused';
/** Financial statuses of an order whose payment the service has taken, or takes (interface page, "Order financial status"). */
const TAKEN = new Set(['pending', 'invoiced', 'to_be_invoiced', 'paid', 'partially_refunded', 'refunded']);
const WAIT_SECONDS = 60;

interface Payment {
  /** The financial status that was known, and the one that is shown now. */
  before: string | null;
  shown: string | null;
  /** The service has just taken this order from us. A draft is none: it is not charged. */
  isJustOrdered?: boolean;
}

/**
 * Takes in what the service says of an order's payment. `refused` holds the order and pauses its print account, with one alarm; an
 * order that is taken later, or paid after all, lets the account go on. What is refused already says nothing new.
 */
export async function receivePayment(
  { app, printOrder, account }: SubmitScope,
  manager: EntityManager,
  { before, shown, isJustOrdered = false }: Payment,
): Promise<void> {
  if (isAtTestHost(printOrder)) return;
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const entry = { shopId, storefrontOrderId, printOrderId, by: 'print service' };
  if (shown === 'refused') {
    if (before === 'refused' && !isJustOrdered) return;
    const message = `The print service refused the payment of ${reference}: it is not printed before it is paid.`;
    await openHold(manager, printOrder, { code: CODE, field: null, message });
    await writeTimeline(manager, { ...entry, kind: CODE, message });
    await markPaymentRefused(app, manager, account.id);
    return;
  }
  if (before === 'refused' && shown !== null) {
    await manager.update(Holds, { printOrderId, code: CODE, resolvedAt: IsNull() }, { resolvedAt: app.now() });
    await writeTimeline(manager, {
      ...entry,
      kind: 'payment_settled',
      message: `${reference}: the payment is "${shown}".`,
    });
    await enqueueTellStore(manager, storefrontOrderId);
  }
  const isTaken = isJustOrdered ? shown !== 'draft' : before === 'refused' && TAKEN.has(shown ?? '');
  // Looked up first: it was refused seldom enough that no write need ask.
  if (isTaken && account.paymentRefusedAt !== null) await markPaymentAccepted(app, manager, account.id);
}

/** An order that is over is not charged: what it was held for, its payment, is settled. */
export async function settlePayment(
  { app, printOrder: { id: printOrderId, storefrontOrderId } }: Pick<SubmitScope, 'app' | 'printOrder'>,
  manager: EntityManager,
): Promise<void> {
  const { affected } = await manager.update(
    Holds,
    { printOrderId, code: CODE, resolvedAt: IsNull() },
    { resolvedAt: app.now() },
  );
  if (affected) await enqueueTellStore(manager, storefrontOrderId);
}

/**
 * Whether a print order that would be charged waits, since the payments of its account are refused: all do but one now and then that
 * finds out whether they still are. What was confirmed, or is to end, goes on; drafts that are left cost nothing.
 */
export async function waitsForPayment(scope: SubmitScope): Promise<boolean> {
  const { app, account, printOrder, settings } = scope;
  if (account.paymentRefusedAt === null || isAtTestHost(printOrder)) return false;
  const { state, confirmStartedAt, cancelRequestedAt, closedAt, releasedAt, isLeftAsDraft } = printOrder;
  const isUnsent = confirmStartedAt === null && cancelRequestedAt === null && closedAt === null && state !== 'held';
  const isFree = releasedAt === null && (isLeftAsDraft || settings.leavesDrafts);
  if (!isUnsent || isFree || (await claimPaymentProbe(app, account.id))) return false;
  const why = 'The print service refuses the payments of your account. The order continues when it takes a payment.';
  await waitToSubmit(scope, { why, code: CODE, seconds: WAIT_SECONDS, isExact: true, isNews: true });
  return true;
}
