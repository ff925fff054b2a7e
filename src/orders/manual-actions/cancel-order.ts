import { IsNull, Not } from 'typeorm';
import { Holds, StorefrontOrders } from '../../database/entities/orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { isLive } from '../facts/found-orders.ts';
import { searchForOrders } from '../submit/search-for-orders.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { closePrintOrder, requestCancellations } from '../plan/reconcile-print-orders.ts';
import { settleFromSearch } from '../submit/settle-from-search.ts';
import { openSubmitScope } from '../submit/submit-scope.ts';
import {
  lockPrintOrders,
  writeActionToTimeline,
  type ManualAction,
  type ManualActionScope,
} from './manual-action-scope.ts';
import { describeCancellation } from './describe-cancellation.ts';
import { isReplaceable } from '../facts/print-order-predicates.ts';

/**
 * Stops printing an order. Closes unsent print orders, and cancels sent print orders at the service if that is still possible
 * (docs/rules/created-once.md#cancellation). The order in the store stays unchanged.
 */
export const cancelOrder: ManualAction = async (scope) => {
  const { app, storefrontOrder, isOneNamed, by } = scope;
  const { id, name, cancelAskedAt } = storefrontOrder;
  if (isOneNamed)
    throw new NotPossibleError(
      'whole_order',
      'A single print order cannot be canceled because Platen would plan it again. Cancel the whole order instead.',
    );
  await app.db.transaction(async (manager) => {
    const said = { cancelAskedAt: cancelAskedAt ?? app.clock.now(), cancelAskedBy: by };
    const before = { approvedAt: null, approvedBy: null, heldAt: null, heldBy: null };
    await manager.update(StorefrontOrders, { id }, { ...before, ...said });
    const message = `Printing of ${name} was canceled by hand: Platen sends no further items to print. The order in the store is not canceled.`;
    if (cancelAskedAt === null) await writeActionToTimeline(scope, manager, { kind: 'canceled_by_hand', message });
  });
  await adoptUnknownOrders(scope);
  // After the first commit, no job starts a request for this order. The lock waits for a job that started earlier.
  const printOrders = await app.db.transaction(async (manager) => {
    const locked = await lockPrintOrders(scope, manager);
    const { prints } = await readOwnRows(manager, id);
    for (const print of prints.filter(isReplaceable))
      await closePrintOrder({ app, manager, storefrontOrder }, print.printOrder, 'canceled_by_hand');
    await requestCancellations({ app, manager }, prints, 'it was canceled by hand');
    await enqueuePlan(manager, id);
    const replaced = new Set(prints.filter(isReplaceable).map(({ printOrder }) => printOrder.id));
    const { extendedCalls } = readSettings(scope.shop);
    const covered = new Set(locked.filter(({ fencedAt }) => fencedAt === null).map((printOrder) => printOrder.id));
    return prints
      .filter(({ printOrder }) => covered.has(printOrder.id))
      .map(({ printOrder, deviation: { cancelRefusedWhy } }) =>
        describeCancellation(printOrder, { isReplaced: replaced.has(printOrder.id), cancelRefusedWhy, extendedCalls }),
      );
  });
  return [
    `Platen sends no further items of ${name} to print. This does not cancel the order in the store: cancel or refund it there.`,
    ...printOrders,
    ...(await listUnknownOrders(scope)),
  ];
};

/**
 * Adopts a live but unknown order under one of Platen's references at the service, so that it is canceled with the other print orders.
 * Resolves holds about orders that no longer exist. Throws NotPossibleError if the service does not respond.
 */
async function adoptUnknownOrders({ app, storefrontOrder }: ManualActionScope): Promise<void> {
  const code: HoldCode = 'unknown_print_order';
  const open = { storefrontOrderId: storefrontOrder.id, code, printOrderId: Not(IsNull()), resolvedAt: IsNull() };
  for (const { id, printOrderId } of await app.db.manager.findBy(Holds, open)) {
    const scope = printOrderId === null ? null : await openSubmitScope(app, printOrderId);
    if (scope === null) continue;
    try {
      const search = await searchForOrders(scope);
      if (search.groups.some(isLive)) await settleFromSearch(scope, search);
      else if (search.unknownReferences.length === 0)
        await app.db.manager.update(Holds, { id, resolvedAt: IsNull() }, { resolvedAt: app.clock.now() });
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      throw new NotPossibleError(
        'print_service_unavailable',
        `${storefrontOrder.name} is being canceled, but the print service is not responding. Try again in a few minutes.`,
        { cause: error },
      );
    }
  }
}

/** Describes the orders that the merchant must cancel at the print service, because Platen does not know them and cannot cancel them. */
async function listUnknownOrders({ app, storefrontOrder }: ManualActionScope): Promise<string[]> {
  const code: HoldCode = 'unknown_print_order';
  const open = { storefrontOrderId: storefrontOrder.id, code, resolvedAt: IsNull() };
  const holds = await app.db.manager.find(Holds, { where: open, order: { id: 'ASC' } });
  return [...new Set(holds.map(({ message }) => `${message} Cancel it in the print service's dashboard.`))];
}
