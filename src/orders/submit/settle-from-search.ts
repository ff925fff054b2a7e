import { IsNull, Not } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import { adoptOrder } from './draft/adopt-order.ts';
import { deleteOneDraft } from './draft/delete-draft.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { describeUnknownOrder } from '../record/hold-unknown-order.ts';
import { isPermanentlyGone } from './is-permanently-gone.ts';
import { holdPrintOrder } from '../record/hold-print-order.ts';
import { isLive } from '../facts/found-orders.ts';
import type { OrderSearch } from './search-for-orders.ts';
import { waitToSubmit, type SubmitScope } from './submit-scope.ts';

const STRAY_DRAFT =
  "The print service has both an order and Platen's draft under this reference, and does not delete the draft.";
const SIBLING_FIRST =
  'The print service already has another print order of this order. Platen handles that print order first.';

/**
 * Handles the orders that a search has found: adopts an order under the reference, opens a hold for an order of a part that is not in the
 * database, or waits until another part has adopted its order. Returns false if the search found no such order.
 */
export async function settleFromSearch(scope: SubmitScope, search: OrderSearch): Promise<boolean> {
  const { printOrder, order } = scope;
  const live = search.groups.filter(isLive);
  // Ended orders count only if there is no live order. The chosen order comes before any other order.
  const candidates = live.length > 0 ? live : search.groups;
  const group = candidates.find((parts) => parts.some(({ id }) => id === printOrder.serviceOrderId)) ?? candidates[0];
  if (group) {
    const isAlone = await deleteReplacedDraft(
      scope,
      search,
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
  const unknown = search.unknownReferences[0] ?? (await findUnresolvedReference(scope, search.endedReferences));
  if (unknown === null) {
    // Another part's order may contain the lines of this print order, so that part adopts its order first.
    if (search.siblingReferences.length > 0) await waitToSubmit(scope, { why: SIBLING_FIRST, seconds: 5 });
    return search.siblingReferences.length > 0;
  }
  await order.change((manager) =>
    holdPrintOrder(manager, printOrder, {
      code: 'unknown_print_order',
      message: describeUnknownOrder(unknown),
      data: { references: [...search.unknownReferences, ...search.endedReferences] },
    }),
  );
  return true;
}

/** Returns the first of these references whose hold nobody has resolved yet. All of them belong to unknown orders that have ended. */
async function findUnresolvedReference(
  { app, printOrder }: SubmitScope,
  references: readonly string[],
): Promise<string | null> {
  const { storefrontOrderId } = printOrder;
  const code: HoldCode = 'unknown_print_order';
  for (const reference of references) {
    const settled = { storefrontOrderId, code, message: describeUnknownOrder(reference), resolvedAt: Not(IsNull()) };
    if (!(await app.db.manager.existsBy(Holds, settled))) return reference;
  }
  return null;
}

/** Deletes the chosen draft before another order under the reference replaces it. Returns false if the draft may still exist. */
async function deleteReplacedDraft(scope: SubmitScope, search: OrderSearch, ids: string[]): Promise<boolean> {
  const { serviceOrderId, fencedAt } = scope.printOrder;
  if (serviceOrderId === null || ids.includes(serviceOrderId) || fencedAt !== null) return true;
  // The chosen draft has become an order that has ended, so it cannot become live.
  if (search.groups.some((group) => !isLive(group) && group.some(({ id }) => id === serviceOrderId))) return true;
  return (await deleteOneDraft(scope, serviceOrderId)) === 'deleted' || isPermanentlyGone(scope);
}
