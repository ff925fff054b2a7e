import { IsNull, Not } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import { adoptOrder } from './draft/adopt-order.ts';
import { deleteOneDraft } from './draft/delete-draft.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { describeUnknownOrder } from '../record/hold-unknown-order.ts';
import { isLongGone } from './is-long-gone.ts';
import { holdPrintOrder } from '../record/hold-print-order.ts';
import { isLive } from '../facts/found-orders.ts';
import type { Look } from './look-for-orders.ts';
import { waitToSubmit, type SubmitScope } from './submit-scope.ts';

const STRAY_DRAFT =
  "The print service has both an order and Platen's draft under this reference, and does not delete the draft.";
const SIBLING_FIRST =
  'The print service already has an order for another print order of this order. Platen handles that print order first.';

/**
 * Adopts an order found under the reference, opens a hold for an unknown part's order, or waits for another part's order. Returns false
 * if the search found no such order.
 */
export async function settleFromLook(scope: SubmitScope, look: Look): Promise<boolean> {
  const { printOrder, order } = scope;
  const live = look.groups.filter(isLive);
  // Our chosen order comes first. Live orders come before orders that have ended.
  const candidates = live.length > 0 ? live : look.groups;
  const group = candidates.find((parts) => parts.some(({ id }) => id === printOrder.serviceOrderId)) ?? candidates[0];
  if (group) {
    const isAlone = await deleteChosenBeside(
      scope,
      look,
      group.map(({ id }) => id),
    );
    if (!isAlone) {
      await waitToSubmit(scope, { why: STRAY_DRAFT, seconds: 5 });
      return true;
    }
    const message = `${printOrder.reference}: the print service already has this order (${group.map(({ id }) => id).join(', ')}).`;
    const isAdopted = await adoptOrder(scope, group, { kind: 'adopted', message });
    if (isAdopted && live.length > 1) {
      const ids = live.flat().map(({ id }) => id);
      await order.change((manager) =>
        holdPrintOrder(manager, scope.printOrder, {
          code: 'several_orders',
          message: `The print service has ${live.length} orders under this reference.`,
          data: { ids },
        }),
      );
    }
    return true;
  }
  const unknown = look.unknownReferences[0] ?? (await findUnsettled(scope, look.overReferences));
  if (unknown === null) {
    // The order that another part adopts may contain these lines, so that part goes first.
    if (look.siblingReferences.length > 0) await waitToSubmit(scope, { why: SIBLING_FIRST, seconds: 5 });
    return look.siblingReferences.length > 0;
  }
  await order.change((manager) =>
    holdPrintOrder(manager, printOrder, {
      code: 'unknown_print_order',
      message: describeUnknownOrder(unknown),
      data: { references: [...look.unknownReferences, ...look.overReferences] },
    }),
  );
  return true;
}

/** Finds an unknown order that has ended at the service and whose hold nobody has resolved yet. */
async function findUnsettled({ app, printOrder }: SubmitScope, references: readonly string[]): Promise<string | null> {
  const { storefrontOrderId } = printOrder;
  const code: HoldCode = 'unknown_print_order';
  for (const reference of references) {
    const settled = { storefrontOrderId, code, message: describeUnknownOrder(reference), resolvedAt: Not(IsNull()) };
    if (!(await app.db.manager.existsBy(Holds, settled))) return reference;
  }
  return null;
}

/** Deletes our chosen draft before another order under the reference replaces it. Returns false if the draft may still exist. */
async function deleteChosenBeside(scope: SubmitScope, look: Look, ids: string[]): Promise<boolean> {
  const { serviceOrderId, fencedAt } = scope.printOrder;
  if (serviceOrderId === null || ids.includes(serviceOrderId) || fencedAt !== null) return true;
  // The chosen draft has become an order that has ended, so it cannot become live.
  if (look.groups.some((group) => !isLive(group) && group.some(({ id }) => id === serviceOrderId))) return true;
  return (await deleteOneDraft(scope, serviceOrderId)) === 'deleted' || isLongGone(scope);
}
