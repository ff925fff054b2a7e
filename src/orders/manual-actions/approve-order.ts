import { In, type EntityManager } from 'typeorm';
import { OrderLines, StorefrontOrders } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import {
  writeActionToTimeline,
  readOpenHolds,
  refuseIfOrderIsOver,
  refuseWhileOrderUnknown,
  resolveHoldsManually,
  type ManualAction,
  type ManualActionScope,
} from './manual-action-scope.ts';
import { writeDeviation } from '../rows/deviations.ts';
import { limitSentences } from '../facts/limit-sentences.ts';
import { describeApproval } from './describe-approval.ts';

const EARLIER_ACCOUNT = ' in the print account that the shop used before';

/**
 * Approves an order for printing. The order resumes if it was waiting for approval, held by hand or held because of a high fraud risk.
 * Platen confirms drafts that were left at the service. It confirms a draft in an earlier print account only if the draft's reference is
 * given. An approval also reverses a cancellation by hand.
 */
export const approveOrder: ManualAction = async (scope) => {
  const { app, shop, storefrontOrder, printOrders, isOneNamed, by } = scope;
  const { id } = storefrontOrder;
  refuseIfOrderIsOver(storefrontOrder);
  return app.db.transaction(async (manager) => {
    const now = app.clock.now();
    await refuseWhileOrderUnknown(scope, manager);
    const open = (await readOpenHolds(scope, manager)).filter(({ code }) => code === 'left_as_draft');
    const drafts = printOrders.filter((printOrder) => open.some(({ printOrderId }) => printOrderId === printOrder.id));
    // A draft in an earlier account would be charged to that account, not to the shop's current one.
    const isElsewhere = ({ printAccountId }: PrintOrder): boolean => printAccountId !== shop.printAccountId;
    const elsewhere = isOneNamed ? [] : drafts.filter(isElsewhere);
    const toRelease = drafts.filter((printOrder) => !elsewhere.includes(printOrder));
    const left = open.filter(({ printOrderId }) => toRelease.some(({ id: released }) => released === printOrderId));
    if (isOneNamed && toRelease.length === 0)
      throw new NotPossibleError(
        'not_left',
        'This print order is not a draft that is waiting for approval. Approve the whole order instead.',
      );
    for (const printOrder of toRelease) {
      await manager.update(PrintOrders, { id: printOrder.id }, { isLeftAsDraft: false });
      await writeDeviation(manager, printOrder.id, { releasedAt: now }, now);
    }
    await resolveHoldsManually(scope, manager, left);
    if (!isOneNamed) {
      const approvedUnits = await readKnownUnits(manager, id);
      const said = { approvedAt: now, approvedBy: by, approvedTotal: null, approvedUnits, heldAt: null, heldBy: null };
      await manager.update(
        StorefrontOrders,
        { id },
        { ...said, cancelAskedAt: null, cancelAskedBy: null, askAgainAt: now },
      );
    }
    const released = toRelease.map(
      (one) => `Platen confirms ${one.reference}${isElsewhere(one) ? EARLIER_ACCOUNT : ''}.`,
    );
    const unconfirmed = elsewhere.map(
      ({ reference }) =>
        `${reference} is a draft${EARLIER_ACCOUNT}: approve this print order by its reference to confirm it there, or choose "Print again" for it.`,
    );
    const approved = isOneNamed ? [] : [await describeApprovedOrder(scope, manager, drafts)];
    await writeActionToTimeline(scope, manager, {
      kind: 'approved',
      message: [...approved, ...limitSentences([...released, ...unconfirmed])].join(' '),
    });
    for (const printOrder of printOrders.filter((one) => toRelease.includes(one) || one.state === 'submitting'))
      await enqueueSubmit(manager, printOrder);
    await enqueuePlan(manager, id);
    return [...approved, ...released, ...unconfirmed];
  });
};

/**
 * Reads how many units of each line Platen currently knows. An approval covers only these units. Returns null if Platen knows no lines yet.
 */
async function readKnownUnits(
  manager: EntityManager,
  storefrontOrderId: string,
): Promise<Record<string, number> | null> {
  const lines = await manager.findBy(OrderLines, { storefrontOrderId });
  if (lines.length === 0) return null;
  return Object.fromEntries(lines.map((line) => [line.shopifyLineItemId, line.orderedQuantity]));
}

async function describeApprovedOrder(
  { storefrontOrder: { id: storefrontOrderId, name }, printOrders }: ManualActionScope,
  manager: EntityManager,
  drafts: readonly PrintOrder[],
): Promise<string> {
  const lines = await manager.findBy(OrderLines, { storefrontOrderId });
  const units = await manager.findBy(PrintOrderLines, { printOrderId: In(printOrders.map(({ id }) => id)) });
  // A test order's draft has no hold, because it is never released.
  const isTest = printOrders.some((one) => one.isLeftAsDraft && one.confirmedAt === null && !drafts.includes(one));
  return describeApproval(name, { lines, units, printOrders, isTest });
}
