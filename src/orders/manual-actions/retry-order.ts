import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { SPACES } from '../../database/find-print-links.ts';
import { StorefrontOrders, type Hold } from '../../database/entities/orders.ts';
import { Deviations, PrintOrders, SubmitAttempts, type PrintOrder } from '../../database/entities/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { isLinkedSql } from '../unlinked/unlinked-lines-sql.ts';
import { changeState } from '../record/change-state.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { Packages } from '../../database/entities/packages.ts';
import { FULFILLMENT_CANCELED } from '../plan/hold-canceled-fulfillments.ts';
import { NO_TRACKING } from '../follow/fulfill-untracked-parcels.ts';
import { NO_PROGRESS, STALLED_DAYS } from '../follow/hold-stalled-orders.ts';
import { limitSentences } from '../facts/limit-sentences.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { hasLiveAttempt } from './has-live-attempt.ts';
import {
  lockPrintOrders,
  writeActionToTimeline,
  readOpenHolds,
  resolveHoldsManually,
  type ManualAction,
  type ManualActionScope,
} from './manual-action-scope.ts';
import { isStateIn } from '../facts/order-state.ts';
import { enqueuePush } from '../enqueue/enqueue-push.ts';

/** Holds for refusals that occurred before anything was created at the service. A retry repeats the step. */
const REFUSED = new Set([
  'quote_refused',
  'create_refused',
  'no_shipment_method',
  'print_account_refused',
  'unknown_print_order',
]);

/**
 * Retries an order after someone has fixed the cause of a hold: plans, quotes, sends, reads or pushes it again. The plan decides again
 * about lines that it left to others, and may request fulfillment again.
 */
export const retryOrder: ManualAction = async (scope) => {
  const { app, shop, storefrontOrder, printOrders, isOneNamed } = scope;
  const { id, name, canceledAt, redactedAt } = storefrontOrder;
  if (redactedAt !== null) throw new NotPossibleError('order_erased', `The customer data of ${name} was erased.`);
  if (canceledAt !== null && printOrders.length === 0)
    throw new NotPossibleError('order_canceled', `${name} was canceled in the store.`);
  return app.db.transaction(async (manager) => {
    // The lock waits until other actions and jobs have released the print orders, so the holds are read after acquiring it.
    const locked = await lockPrintOrders(scope, manager);
    const holds = await readOpenHolds(scope, manager);
    const ofParts: string[] = [];
    // The plan is first in the order's queue, so that it reads the store's current state before anything is sent.
    await enqueuePlan(manager, id);
    for (const printOrder of locked) {
      const own = holds.filter(({ printOrderId }) => printOrderId === printOrder.id);
      const what = await retryPrintOrder(scope, manager, printOrder, own);
      if (what !== null) ofParts.push(`${printOrder.reference} ${what}.`);
    }
    const said: string[] = [];
    if (!isOneNamed) {
      await manager.query(RESET_DECISIONS, [shop.id, id, SPACES]);
      // A part that was canceled in time restarts only if the merchant approves the order.
      const ofLocked = { printOrderId: In(locked.map((printOrder) => printOrder.id)) };
      const wasStopped = await manager.existsBy(Deviations, { ...ofLocked, cancelRefusedAt: Not(IsNull()) });
      if (!wasStopped) await manager.update(StorefrontOrders, { id }, { askAgainAt: app.clock.now() });
      said.push(`${name} will be read from the store and planned again.`);
      if (wasStopped)
        said.push('Items that were canceled in time stay canceled. Choose "Approve" to print them after all.');
    }
    if (ofParts.length + said.length === 0)
      throw new NotPossibleError('nothing_to_retry', 'This print order has nothing to retry.');
    await writeActionToTimeline(scope, manager, {
      kind: 'retried',
      message: [...limitSentences(ofParts), ...said].join(' '),
    });
    return [...ofParts, ...said];
  });
};

/** Resets lines that were left to others or were linked only after they were ordered, so that the plan decides about them again. */
const RESET_DECISIONS = `
  update order_lines l set decision = 'held', reason = null
  where l.storefront_order_id = $2 and (l.decision = 'not_ours' or (l.reason = 'not_linked' and ${isLinkedSql('l', '$3')}))`;

async function retryPrintOrder(
  scope: ManualActionScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  holds: readonly Hold[],
): Promise<string | null> {
  if (printOrder.fencedAt !== null) return null;
  const codes = new Set(holds.map(({ code }) => code));
  if (codes.has(FULFILLMENT_CANCELED)) {
    const pushed = { printOrderId: printOrder.id, replacedAt: IsNull(), confirmedAt: Not(IsNull()) };
    await manager.update(Packages, pushed, { pushedAt: null, refusedAt: null });
    await resolveHoldsManually(
      scope,
      manager,
      holds.filter(({ code }) => code === FULFILLMENT_CANCELED),
    );
    await enqueuePush(manager, scope.storefrontOrder.id);
    return 'is pushed to the store again';
  }
  if (codes.has('fulfillment_refused')) {
    await enqueuePush(manager, scope.storefrontOrder.id);
    return 'is pushed to the store again';
  }
  const overdue = listOverdueHolds(scope).find(({ code }) => codes.has(code));
  if (overdue) {
    const { code, days, what } = overdue;
    await resolveHoldsManually(
      scope,
      manager,
      holds.filter((hold) => hold.code === code),
    );
    await enqueueFollow(manager, printOrder);
    return `waits ${days === 1 ? 'one more day' : `${days} more days`} for ${what}`;
  }
  if (codes.has('confirm_refused')) return confirmDraftAgain(scope, manager, printOrder, holds);
  if (printOrder.confirmedAt !== null) {
    await enqueueFollow(manager, printOrder);
    return holds.length > 0 ? 'is read again from the print service' : null;
  }
  if (printOrder.state === 'held' && [...codes].some((code) => REFUSED.has(code)))
    return resendPrintOrder(scope, manager, printOrder, holds);
  if (printOrder.state === 'held' || isStateIn(printOrder.state, 'sending')) {
    await enqueueSubmit(manager, printOrder);
    return 'is looked up at the print service';
  }
  return null;
}

/** Returns the holds for print orders that are late at the print service. After a retry, Platen waits the same number of days again. */
function listOverdueHolds({ shop }: ManualActionScope): { code: HoldCode; days: number; what: string }[] {
  return [
    { code: NO_TRACKING, days: readSettings(shop).noTrackingDays, what: 'its tracking code' },
    { code: NO_PROGRESS, days: STALLED_DAYS, what: 'the print service' },
  ];
}

export async function confirmDraftAgain(
  scope: ManualActionScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  holds: readonly Hold[],
): Promise<string> {
  const message = `${printOrder.reference}: the draft is confirmed again.`;
  await changeState(manager, printOrder, { to: 'submitting', kind: 'continued', message, by: scope.by });
  await resolveHoldsManually(scope, manager, holds);
  await enqueueSubmit(manager, printOrder);
  return 'is confirmed again with the same draft';
}

/**
 * Quotes or sends a refused print order again. If it was already sent once, closes it, so that the plan requests a current quote under a
 * new reference.
 */
async function resendPrintOrder(
  scope: ManualActionScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  holds: readonly Hold[],
): Promise<string | null> {
  const { app, by } = scope;
  const { id, reference, printInterface, bodySha256, serviceOrderId, closedAt } = printOrder;
  if (serviceOrderId !== null || closedAt !== null || (await hasLiveAttempt(manager, id))) {
    await enqueueSubmit(manager, printOrder);
    return 'is looked up at the print service';
  }
  const isQuoteUsed = printInterface !== 'current' || holds.some(({ code }) => code === 'create_refused');
  if (isQuoteUsed && (await manager.existsBy(SubmitAttempts, { printOrderId: id }))) {
    await manager.update(
      PrintOrders,
      { id, closedAt: IsNull() },
      { closedAt: app.clock.now(), closedReason: 'refused' },
    );
    await enqueueSubmit(manager, printOrder);
    return 'is closed, then planned and quoted again under a new reference';
  }
  const isQuoted = bodySha256 !== null;
  const message = `${reference}: Platen ${isQuoted ? 'sends it again' : 'requests its price and shipping again'}.`;
  await changeState(manager, printOrder, { to: isQuoted ? 'quoted' : 'planned', kind: 'retried', message, by });
  await resolveHoldsManually(scope, manager, holds);
  return isQuoted ? 'is sent again' : 'is quoted again';
}
