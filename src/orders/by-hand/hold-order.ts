import { StorefrontOrders } from '../../database/entities/orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { lockPrintOrders, noteSaid, refuseIfOver, type ActByHand } from './hand-scope.ts';

/**
 * A person's word that nothing more of the order is sent until it is approved. What was sent is not called back, and what is being
 * confirmed at this moment is not caught: the answer says which that is.
 */
export const holdOrder: ActByHand = async (scope) => {
  const { app, storefrontOrder, isOneNamed, by } = scope;
  const { id, name, heldAt } = storefrontOrder;
  if (isOneNamed) throw new NotPossibleError('whole_order', 'An order is held as a whole: leave the print order out.');
  refuseIfOver(storefrontOrder);
  await app.db.transaction(async (manager) => {
    await manager.update(
      StorefrontOrders,
      { id },
      { heldAt: heldAt ?? app.now(), heldBy: by, approvedAt: null, approvedBy: null },
    );
    if (heldAt === null)
      await noteSaid(scope, manager, {
        kind: 'held_by_hand',
        message: `${name} is held by hand: nothing more of it is sent.`,
      });
    await enqueuePlan(manager, id);
  });
  // After that is committed: who confirms one of them now either sees it, or is waited for here and told of.
  const printOrders = await app.db.transaction((manager) => lockPrintOrders(scope, manager));
  const sent = printOrders.filter(({ confirmStartedAt, fencedAt }) => confirmStartedAt !== null && fencedAt === null);
  const said = sent.map(
    ({ reference }) => `${reference} was sent to print already: that is not called back. Cancel the order to try that.`,
  );
  return [`${name} is held: nothing more of it is sent until it is approved.`, ...said];
};
