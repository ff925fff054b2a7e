import { In, type EntityManager } from 'typeorm';
import { PrintOrderLines, PrintOrders, type PrintOrderLine } from '../../database/entities/print-orders.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { closePrintOrder } from '../plan/reconcile-print-orders.ts';
import type { SubmitScope } from '../submit/submit-scope.ts';
import type { ManualActionScope } from './manual-action-scope.ts';
import { isReplaceable } from '../facts/print-order-predicates.ts';

/**
 * If the order at the service also contains items of the storefront order's unsent print orders, moves those lines to this print order,
 * which then prints them. Closes the other print orders, so that the plan creates only their remaining lines again. Returns the moved
 * lines.
 */
export async function moveSiblingLines(
  { app, storefrontOrder }: ManualActionScope,
  manager: EntityManager,
  { printOrder, lines }: Pick<SubmitScope, 'printOrder' | 'lines'>,
  units: ReadonlyMap<string, number>,
): Promise<PrintOrderLine[]> {
  const where = { storefrontOrderId: storefrontOrder.id };
  await manager.find(PrintOrders, { where, order: { id: 'ASC' }, lock: { mode: 'for_no_key_update' } });
  const { prints } = await readOwnRows(manager, storefrontOrder.id);
  const isThere = ({ itemReferenceId }: PrintOrderLine): boolean => (units.get(itemReferenceId) ?? 0) > 0;
  const siblings = prints.filter(
    (print) => print.printOrder.id !== printOrder.id && isReplaceable(print) && print.lines.some(isThere),
  );
  const known = new Set(lines.map(({ itemReferenceId }) => itemReferenceId));
  const taken: PrintOrderLine[] = [];
  for (const sibling of siblings) {
    for (const line of sibling.lines.filter(isThere)) {
      if (known.has(line.itemReferenceId)) continue;
      known.add(line.itemReferenceId);
      taken.push({ ...line, printOrderId: printOrder.id });
    }
    await closePrintOrder({ app, manager, storefrontOrder }, sibling.printOrder, 'printed_in_another');
  }
  if (taken.length > 0)
    await manager.update(PrintOrderLines, { id: In(taken.map(({ id }) => id)) }, { printOrderId: printOrder.id });
  return taken;
}
