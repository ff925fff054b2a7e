import type { EntityManager } from 'typeorm';
import { TimelineEntries } from '../../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../database/entities/print-orders.ts';
import { Shops } from '../../../database/entities/shops.ts';
import { readSettings } from '../../../shops/settings/settings.ts';
import { openHold } from '../../record/hold-print-order.ts';
import type { SubmitScope } from '../submit-scope.ts';
import { readDeviation } from '../../rows/deviations.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

const KIND = 'left_as_draft';

/**
 * Returns whether a print order's draft must not be confirmed until someone releases the draft, in the print service's dashboard or in
 * Platen. Reads the settings in the caller's transaction, because a draft that someone has just chosen to leave must not be printed.
 */
export async function mustStayDraft(
  manager: EntityManager,
  { id, shopId, isLeftAsDraft }: Pick<PrintOrder, 'id' | 'shopId' | 'isLeftAsDraft'>,
): Promise<boolean> {
  if (await isReleased(manager, id)) return false;
  if (isLeftAsDraft) return true;
  return readSettings(await manager.findOneByOrFail(Shops, { id: shopId })).leavesDrafts;
}

async function isReleased(manager: EntityManager, printOrderId: string): Promise<boolean> {
  return (await readDeviation(manager, printOrderId)).releasedAt !== null;
}

/**
 * Records once that the draft is left at the service. Opens a hold if someone can release the draft. A test order requires no action, so
 * it only gets a timeline entry.
 */
export async function leaveAsDraft(scope: SubmitScope): Promise<void> {
  const { order, printOrder, settings } = scope;
  const { id: printOrderId, shopId, storefrontOrderId, reference, serviceOrderId } = printOrder;
  await order.change(async (manager) => {
    const where = { id: printOrderId };
    const current = await manager.findOneOrFail(PrintOrders, { where, lock: { mode: 'for_no_key_update' } });
    if (
      (await isReleased(manager, printOrderId)) ||
      (await manager.existsBy(TimelineEntries, { printOrderId, kind: KIND }))
    )
      return;
    const isDirect = printOrder.submitWay === 'direct';
    const what = isDirect
      ? 'is not sent, because orders that are sent directly have no drafts'
      : `is left as draft ${serviceOrderId} at the print service`;
    const isTest = current.isLeftAsDraft;
    const why = isTest ? 'a test order is never printed' : 'the shop releases its print orders itself';
    const message = `${reference} ${what}: ${why}.`;
    await manager.update(PrintOrders, where, { isLeftAsDraft: true });
    printOrder.isLeftAsDraft = true;
    if (!isTest && settings.leavesDrafts)
      await openHold(manager, printOrder, { code: 'left_as_draft', field: null, message });
    await writeTimeline(manager, {
      shopId,
      storefrontOrderId,
      printOrderId,
      kind: KIND,
      message,
      data: { serviceOrderId },
    });
  });
}
