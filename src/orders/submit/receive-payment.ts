import { IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import { claimPaymentProbe, markPaymentAccepted, markPaymentRefused } from '../../shops/print-account/print-account.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHold } from '../record/hold-print-order.ts';
import { PAYMENT_WAIT } from '../waits/handle-print-error.ts';
import { mustStayDraft } from './draft/leave-as-draft.ts';
import { waitToSubmit, type SubmitScope } from './submit-scope.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { describeStatus } from '../facts/service-trouble.ts';
import { isAtTestHost, isClosing } from '../facts/print-order-predicates.ts';

const CODE: HoldCode = 'payment_refused';
/** Financial statuses of an order whose payment the service has accepted or is processing (docs/rules/states.md#financial-statuses). */
const TAKEN = new Set(['pending', 'invoiced', 'to_be_invoiced', 'paid', 'partially_refunded', 'refunded']);

interface Payment {
  /** The last known financial status, before the status that the service shows now (`shown`). */
  before: string | null;
  shown: string | null;
  /** Whether the service has just accepted this order. Not set for a draft, which is not charged. */
  isJustOrdered?: boolean;
}

/**
 * Records the service's report about an order's payment. `refused` opens a hold for this order and pauses its print account. The account
 * resumes when the service accepts a later order, or when this order is paid. A repeated refusal changes nothing.
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
    const message = `The print service refused the payment for ${reference}. The order will not be printed until it is paid.`;
    await openHold(manager, printOrder, { code: CODE, field: null, message });
    await writeTimeline(manager, { ...entry, kind: CODE, message });
    await markPaymentRefused(app, manager, account.id, { isCharged: true });
    return;
  }
  if (before === 'refused' && shown !== null) {
    await manager.update(Holds, { printOrderId, code: CODE, resolvedAt: IsNull() }, { resolvedAt: app.clock.now() });
    await writeTimeline(manager, {
      ...entry,
      kind: 'payment_settled',
      message: `${reference}: the payment status is now "${describeStatus(shown)}".`,
    });
    await enqueueStoreUpdate(manager, storefrontOrderId);
  }
  const isTaken = isJustOrdered ? shown !== 'draft' : before === 'refused' && TAKEN.has(shown ?? '');
  // Refusals are rare, so this check of the loaded row avoids most writes.
  if (isTaken && account.paymentRefusedAt !== null)
    await markPaymentAccepted(app, manager, account.id, { isCharged: true });
}

/** Resolves the payment hold of an order that has ended, because that order will not be charged. */
export async function settlePayment(
  { app, printOrder: { id: printOrderId, storefrontOrderId } }: Pick<SubmitScope, 'app' | 'printOrder'>,
  manager: EntityManager,
): Promise<void> {
  const { affected } = await manager.update(
    Holds,
    { printOrderId, code: CODE, resolvedAt: IsNull() },
    { resolvedAt: app.clock.now() },
  );
  if (affected) await enqueueStoreUpdate(manager, storefrontOrderId);
}

/**
 * Returns whether a print order has to wait because the service refuses its account's payments. From time to time, one print order does not
 * wait and serves as a probe. Print orders that are confirmed, closed or being canceled do not wait. Neither do drafts that are left at the
 * service, because they cost nothing.
 */
export async function waitsForPayment(scope: SubmitScope): Promise<boolean> {
  const { app, account, printOrder } = scope;
  if (account.paymentRefusedAt === null || isAtTestHost(printOrder)) return false;
  const isUnconfirmed = printOrder.confirmStartedAt === null && !isClosing(printOrder) && printOrder.state !== 'held';
  if (!isUnconfirmed) return false;
  const isFree = await mustStayDraft(scope.order.reader, printOrder);
  if (isFree || (await claimPaymentProbe(app, account.id))) return false;
  await waitToSubmit(scope, { ...PAYMENT_WAIT, isExact: true });
  return true;
}
