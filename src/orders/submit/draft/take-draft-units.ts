import { PrintOrderLines, type PrintOrderLine } from '../../../database/entities/print-orders.ts';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import type { EntityManager } from 'typeorm';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import type { SubmitScope } from '../submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

/**
 * A person agreed to other quantities than were sent: the lines count what the service has. What it has less of is not printed
 * unasked: the order is held by hand until somebody approves that the rest is printed too. In the caller's transaction.
 */
export async function takeDraftUnits(
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
    const names = changed.map(({ sku, quantity }) => `${sku ?? 'a line without SKU'}: ${quantity}`).join(', ');
    const rest = less.length > 0 ? ' The rest is printed only when somebody approves it.' : '';
    const message = `${reference} counts what the print service has of it (${names}).${rest}`;
    const data = { lines: changed.map(({ sku, quantity }) => ({ sku, quantity })) };
    const entry = { shopId, storefrontOrderId, printOrderId, kind: 'quantities_taken', message, data };
    await writeTimeline(manager, entry);
    if (less.length > 0) {
      await manager.update(StorefrontOrders, { id: storefrontOrderId }, { heldAt: app.now(), heldBy: 'platen' });
      await enqueuePlan(manager, storefrontOrderId);
    }
  }
  return counted.filter(({ quantity }) => quantity > 0);
}
