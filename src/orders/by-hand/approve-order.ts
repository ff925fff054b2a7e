import { StorefrontOrders } from '../../database/orders.ts';
import { PrintOrders } from '../../database/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { enqueuePlan } from '../enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue-submit.ts';
import {
  noteSaid,
  readOpenHolds,
  refuseIfOver,
  refuseWhileUnknown,
  resolveByHand,
  type ActByHand,
} from './hand-scope.ts';

/**
 * A person's word that the order goes to print: what waits for approval, is held by hand or is risky goes on, and drafts that are left
 * at the service are confirmed by Platen. It takes back a cancellation by hand.
 */
export const approveOrder: ActByHand = async (scope) => {
  const { app, storefrontOrder, printOrders, isOneNamed, by } = scope;
  const { id, name } = storefrontOrder;
  refuseIfOver(storefrontOrder);
  return app.db.transaction(async (manager) => {
    const now = app.now();
    await refuseWhileUnknown(scope, manager);
    const left = (await readOpenHolds(scope, manager)).filter(({ code }) => code === 'left_as_draft');
    const toRelease = printOrders.filter((printOrder) =>
      left.some(({ printOrderId }) => printOrderId === printOrder.id),
    );
    if (isOneNamed && toRelease.length === 0)
      throw new NotPossibleError(
        'not_left',
        'This print order is no draft that waits for approval. Approve the order as a whole.',
      );
    for (const printOrder of toRelease)
      await manager.update(PrintOrders, { id: printOrder.id }, { releasedAt: now, isLeftAsDraft: false });
    await resolveByHand(scope, manager, left);
    if (!isOneNamed) {
      const said = { approvedAt: now, approvedBy: by, approvedTotal: null, heldAt: null, heldBy: null };
      await manager.update(
        StorefrontOrders,
        { id },
        { ...said, cancelAskedAt: null, cancelAskedBy: null, askAgainAt: now },
      );
    }
    const released = toRelease.map(({ reference }) => `${reference} is confirmed by Platen.`);
    const approved = isOneNamed ? [] : [`${name} is approved: it goes on to print unless something else holds it.`];
    await noteSaid(scope, manager, { kind: 'approved', message: [...approved, ...released].join(' ') });
    for (const printOrder of printOrders.filter((one) => toRelease.includes(one) || one.state === 'submitting'))
      await enqueueSubmit(app, manager, printOrder);
    await enqueuePlan(app, manager, id);
    return [...approved, ...released];
  });
};
