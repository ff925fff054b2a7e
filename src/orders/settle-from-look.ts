import { adoptOrder } from './adopt-order.ts';
import { deleteOneDraft } from './delete-draft.ts';
import { isLongGone } from './is-long-gone.ts';
import { holdPrintOrder } from './hold-print-order.ts';
import { isLive, type Look } from './look-for-orders.ts';
import { tryAgainIn, type SubmitScope } from './submit-scope.ts';

/** An order under the reference is adopted, one of an unknown part holds, one of another part is waited for; true when that settles it. */
export async function settleFromLook(scope: SubmitScope, look: Look): Promise<boolean> {
  const { printOrder, app } = scope;
  const live = look.groups.filter(isLive);
  // Ours before another's, and one that lives before one that is over.
  const candidates = live.length > 0 ? live : look.groups;
  const group = candidates.find((parts) => parts.some(({ id }) => id === printOrder.serviceOrderId)) ?? candidates[0];
  if (group) {
    const isAlone = await deleteChosenBeside(
      scope,
      group.map(({ id }) => id),
    );
    if (!isAlone) {
      await tryAgainIn(scope, 5);
      return true;
    }
    const message = `${printOrder.reference}: the print service has this order already (${group.map(({ id }) => id).join(', ')}).`;
    await adoptOrder(scope, group, { kind: 'adopted', message });
    if (live.length > 1) {
      const ids = live.flat().map(({ id }) => id);
      await app.db.transaction((manager) =>
        holdPrintOrder(manager, scope.printOrder, {
          code: 'several_orders',
          message: `The print service has ${live.length} orders under this reference.`,
          data: { ids },
        }),
      );
    }
    return true;
  }
  const [unknown] = look.unknownReferences;
  if (unknown === undefined) {
    // What another part of this sale finds may hold these lines: first it takes it.
    if (look.siblingReferences.length > 0) await tryAgainIn(scope, 5);
    return look.siblingReferences.length > 0;
  }
  await app.db.transaction((manager) =>
    holdPrintOrder(manager, printOrder, {
      code: 'unknown_print_order',
      message: `The print service has an order ${unknown} of this sale that is not known here.`,
      data: { references: look.unknownReferences },
    }),
  );
  return true;
}

/** An order is there beside our chosen draft: the draft goes before the order takes its place. False while that is not proven. */
async function deleteChosenBeside(scope: SubmitScope, ids: string[]): Promise<boolean> {
  const { serviceOrderId } = scope.printOrder;
  if (serviceOrderId === null || ids.includes(serviceOrderId)) return true;
  return (await deleteOneDraft(scope, serviceOrderId)) === 'deleted' || isLongGone(scope);
}
