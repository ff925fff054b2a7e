import type { EntityManager } from 'typeorm';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import {
  PrintOrders,
  SubmitAttempts,
  type AttemptOutcome,
  type PrintOrder,
  type SubmitAttempt,
} from '../../database/entities/print-orders.ts';
import type { PrintServiceError } from '../../print/errors.ts';
import { changeState } from '../record/change-state.ts';
import { enqueueStandBy } from '../enqueue/enqueue-submit.ts';
import { mustStayDraft } from './draft/leave-as-draft.ts';
import type { SubmitScope } from './submit-scope.ts';
import { isClosing } from '../facts/print-order-predicates.ts';

/**
 * Commits the attempt row that must exist before a create request is sent (docs/rules/created-once.md#attempts). Returns null if the print
 * order has since been stopped or has changed its state. The commit is synchronous, whatever the database's default is.
 */
export async function beginAttempt(
  scope: SubmitScope,
  orderType: 'draft' | 'order',
  also: (manager: EntityManager) => Promise<Partial<PrintOrder>>,
): Promise<SubmitAttempt | null> {
  const { order: rows, printOrder } = scope;
  return rows.change(async (manager) => {
    const current = await manager.findOneOrFail(PrintOrders, {
      where: { id: printOrder.id },
      lock: { mode: 'for_no_key_update' },
    });
    const isOpen = !isClosing(current) && current.serviceOrderId === null;
    if (!isOpen || !['quoted', 'submitting'].includes(current.state) || current.bodySha256 === null) return null;
    // Only one worker may claim a direct order. While an earlier attempt may have succeeded, the state is no longer `quoted`, so no other
    // attempt begins.
    if (orderType === 'order' && current.state !== 'quoted') return null;
    // Redacted data must not reach the print service again, and people can stop the order until the last moment.
    const order = await manager.findOneByOrFail(StorefrontOrders, { id: current.storefrontOrderId });
    if (order.redactedAt !== null || order.heldAt !== null || order.cancelAskedAt !== null) return null;
    if (orderType === 'order' && (await mustStayDraft(manager, current))) return null;
    const attempt = 1 + (await manager.countBy(SubmitAttempts, { printOrderId: current.id }));
    const { identifiers } = await manager.insert(SubmitAttempts, {
      printOrderId: current.id,
      attempt,
      orderType,
      bodySha256: current.bodySha256,
    });
    if (rows.collectsSteps) await enqueueStandBy(manager, current);
    const moved = await changeState(manager, scope.printOrder, {
      to: 'submitting',
      kind: 'submitting',
      message: `${current.reference}: Platen ${orderType === 'draft' ? 'creates a draft at the print service' : 'sends the order'} (attempt ${attempt}).`,
      data: { attempt, orderType },
      set: await also(manager),
    });
    return moved ? manager.findOneByOrFail(SubmitAttempts, { id: String(identifiers[0]?.['id']) }) : null;
  });
}

/** Records how an attempt ended, in the same write as the order's next change. */
export function endAttemptLater(scope: SubmitScope, attempt: SubmitAttempt, order: { id: string }): void {
  const set = { outcome: 'done' as const, serviceOrderId: order.id, endedAt: scope.app.clock.now() };
  scope.order.changeLater(async (manager) => void (await manager.update(SubmitAttempts, { id: attempt.id }, set)));
}

/** Records how an attempt ended. */
export async function endAttempt(
  { app, order }: SubmitScope,
  attempt: SubmitAttempt,
  result: { order: { id: string } } | { error: PrintServiceError },
): Promise<void> {
  const ended =
    'order' in result
      ? { outcome: 'done' as const, serviceOrderId: result.order.id }
      : { outcome: toAttemptOutcome(result.error), httpStatus: result.error.status, message: result.error.message };
  const endedAt = app.clock.now();
  await order.change((manager) => manager.update(SubmitAttempts, { id: attempt.id }, { ...ended, endedAt }));
}

function toAttemptOutcome({ outcome }: PrintServiceError): AttemptOutcome {
  if (outcome === 'refused' || outcome === 'account_refused' || outcome === 'nothing_made') return outcome;
  return 'unclear';
}
