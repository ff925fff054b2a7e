import { IsNull } from 'typeorm';
import { PrintOrders } from '../../../database/entities/print-orders.ts';
import { closePrintOrder } from '../../plan/reconcile-print-orders.ts';
import type { SubmitScope } from '../submit-scope.ts';

/**
 * Returns whether a print order was begun as a draft that its account cannot confirm, because the setting `extendedCalls` is off and no
 * Order Get has ever succeeded in the account. False for drafts that someone releases at the service, because they need no confirm request.
 */
export function lacksConfirmCall({ shop, settings, account, printOrder }: SubmitScope): boolean {
  const { submitWay, printInterface, confirmedAt, isLeftAsDraft } = printOrder;
  const isDraftWay = submitWay === 'draft' && printInterface === 'current' && confirmedAt === null;
  const staysDraft = isLeftAsDraft || settings.leavesDrafts;
  const isCurrentAccount = account.id === shop.printAccountId;
  return isDraftWay && !staysDraft && isCurrentAccount && !settings.extendedCalls && account.orderGetSeenAt === null;
}

/** Closes the reference, so that the fence deletes its drafts and the next plan sends the order directly. */
export async function closeUnconfirmableDraft({ app, order, printOrder, storefrontOrder }: SubmitScope): Promise<void> {
  await order.change(async (manager) => {
    const open = { closedAt: IsNull(), cancelRequestedAt: IsNull(), fencedAt: IsNull(), confirmedAt: IsNull() };
    const where = { id: printOrder.id, ...open };
    const current = await manager.findOne(PrintOrders, { where, lock: { mode: 'for_no_key_update' } });
    if (current) await closePrintOrder({ app, manager, storefrontOrder }, current, 'cannot_confirm');
  });
}
