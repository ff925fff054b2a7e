import { IsNull } from 'typeorm';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import {
  canceledByHandError,
  lockPrintOrders,
  writeActionToTimeline,
  refuseIfOrderIsOver,
  type ManualAction,
} from './manual-action-scope.ts';

/**
 * Holds an order: Platen sends no further items until the order is approved. Print orders that have already been sent, or are currently
 * being confirmed, are not recalled. The response lists them. A canceled order sends nothing anyway, and a hold must not look as if an
 * approval of the hold were all that it needs.
 */
export const holdOrder: ManualAction = async (scope) => {
  const { app, storefrontOrder, isOneNamed, by } = scope;
  const { id, name, heldAt } = storefrontOrder;
  if (isOneNamed)
    throw new NotPossibleError('whole_order', 'A single print order cannot be held. Hold the whole order instead.');
  refuseIfOrderIsOver(storefrontOrder);
  await app.db.transaction(async (manager) => {
    const { affected } = await manager.update(
      StorefrontOrders,
      { id, cancelAskedAt: IsNull() },
      { heldAt: heldAt ?? app.clock.now(), heldBy: by, approvedAt: null, approvedBy: null },
    );
    if (affected === 0) throw canceledByHandError(storefrontOrder);
    if (heldAt === null)
      await writeActionToTimeline(scope, manager, {
        kind: 'held_by_hand',
        message: `${name} is held by hand: Platen sends no further items of the order until it is approved.`,
      });
    await enqueuePlan(manager, id);
  });
  // The lock is acquired after the commit. A job that confirms a print order either sees the hold, or finishes before the lock is granted,
  // so that the response lists its print order.
  const printOrders = await app.db.transaction((manager) => lockPrintOrders(scope, manager));
  const sent = printOrders.filter(({ confirmStartedAt, fencedAt }) => confirmStartedAt !== null && fencedAt === null);
  const said = sent.map(
    ({ reference }) =>
      `${reference} was already sent to print and is not recalled. Cancel the order to try to stop it.`,
  );
  return [`${name} is on hold: Platen sends no further items of the order until it is approved.`, ...said];
};
