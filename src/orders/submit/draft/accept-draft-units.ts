import { PrintOrderLines, type PrintOrderLine } from '../../../database/entities/print-orders.ts';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import type { EntityManager } from 'typeorm';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import type { SubmitScope } from '../submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

/**
 * Sets the lines to the draft's quantities after someone has accepted them. Units that the draft lacks are not printed automatically.
 * Instead, the order is put on hold until someone approves printing the rest. Runs in the caller's transaction.
 */
export async function acceptDraftUnits(
  { app, printOrder, lines }: Pick<SubmitScope, 'app' | 'printOrder' | 'lines'>,
  manager: EntityManager,
  units: ReadonlyMap<string, number>,
): Promise<PrintOrderLine[]> {
  const counted = lines.map((line) => ({ ...line, quantity: units.get(line.itemReferenceId) ?? 0 }));
  const changed = counted.filter(({ quantity }, index) => quantity !== lines[index]?.quantity);
  for (const { id, quantity } of changed) {
    if (quantity > 0) await manager.update(PrintOrderLines, { id }, { quantity });
    else await manager.delete(PrintOrderLines, { id });
  }
  const less = changed.filter((line) => line.quantity < (lines.find(({ id }) => id === line.id)?.quantity ?? 0));
  if (changed.length > 0) {
    const { shopId, storefrontOrderId, id: printOrderId, reference } = printOrder;
    const names = changed.map(({ sku, quantity }) => `${sku ?? 'a line without a SKU'}: ${quantity}`).join(', ');
    const rest = less.length > 0 ? ' The rest is printed only if someone approves it.' : '';
    const message = `${reference} now has the quantities of its draft at the print service (${names}).${rest}`;
    const data = { lines: changed.map(({ sku, quantity }) => ({ sku, quantity })) };
    const entry = { shopId, storefrontOrderId, printOrderId, kind: 'quantities_taken', message, data };
    await writeTimeline(manager, entry);
    if (less.length > 0) {
      await manager.update(StorefrontOrders, { id: storefrontOrderId }, { heldAt: app.clock.now(), heldBy: 'platen' });
      await enqueuePlan(manager, storefrontOrderId);
    }
  }
  return counted.filter(({ quantity }) => quantity > 0);
}
