import { In, IsNull } from 'typeorm';
import { ServiceOrders } from '../../database/entities/print-orders.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { adoptOrder, readOrder } from './draft/adopt-order.ts';
import { deleteOneDraft } from './draft/delete-draft.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { finishFence } from './fence-print-order.ts';
import { holdPrintOrder } from '../record/hold-print-order.ts';
import { writeDeviation } from '../rows/deviations.ts';
import { isPermanentlyGone } from './is-permanently-gone.ts';
import { isLive } from '../facts/found-orders.ts';
import { type OrderSearch, searchForOrders } from './search-for-orders.ts';
import { settleAbsence } from './submit-direct.ts';
import { readAttempts, waitToSubmit, type SubmitScope } from './submit-scope.ts';

const REFUSED_NOT_SHOWN = 'The print service refuses to cancel the order, and its search does not show the order yet.';
const STILL_SHOWN = 'The print service still shows an order or a draft that Platen canceled or deleted there.';
const NOT_SHOWN = 'The print service does not yet show whether the order was canceled.';

/** The result of canceling one part of an order. `why` states, for the merchant, why the part cannot be canceled. */
interface Canceled {
  id: string;
  why: string | null;
  /** Whether the service confirmed the cancellation. If not, only a search can show its result. */
  isDone: boolean;
}

/**
 * Cancels a print order (docs/rules/created-once.md#cancellation). First deletes the chosen draft, even while a confirm request may be in
 * progress. Then cancels all connected parts of the order at the service, and resolves a direct attempt with an unclear outcome. The
 * cancellation is complete only when a search shows nothing live. The step ends with `finishFence`, or with the hold `cannot_cancel`. In
 * both cases, a plan follows.
 */
export async function cancelPrintOrder(scope: SubmitScope): Promise<void> {
  const { serviceOrderId, submitWay, confirmedAt } = scope.printOrder;
  const draft = serviceOrderId !== null && submitWay === 'draft' ? await deleteOneDraft(scope, serviceOrderId) : null;
  const isOrder = submitWay === 'direct' || draft === 'is_order' || (confirmedAt !== null && draft !== 'deleted');
  // Known orders are canceled by their IDs, even if the search does not show them yet.
  const known = isOrder ? await cancelParts(scope, await readKnownParts(scope), { isShown: false }) : [];
  const search = await searchForOrders(scope);
  if (known.some(isRefused)) {
    const group = search.groups.find((parts) => parts.some(({ id }) => id === serviceOrderId));
    return group || confirmedAt !== null
      ? continuePrinting(scope, known, group ?? [])
      : waitToSubmit(scope, { why: REFUSED_NOT_SHOWN, seconds: 5 });
  }
  for (const { id } of search.drafts) await deleteOneDraft(scope, id);
  for (const group of search.groups.filter(isLive)) {
    const toCancel = group.filter(({ id }) => !known.some((one) => one.id === id && one.isDone));
    const canceled = await cancelParts(scope, toCancel, { isShown: true });
    if (canceled.some(isRefused))
      return continuePrinting(scope, [...known.filter(({ isDone }) => isDone), ...canceled], group);
  }
  await finishCancellation(scope, search, draft === 'deleted');
}

/** Returns the service's order IDs that are recorded for the print order. */
async function readKnownParts(scope: SubmitScope): Promise<{ id: string; fulfillmentStatus: null }[]> {
  const { app, printOrder } = scope;
  const parts = await app.db.manager.find(ServiceOrders, {
    where: { printOrderId: printOrder.id, role: In(['chosen', 'part']), deletedAt: IsNull() },
    order: { id: 'ASC' },
  });
  const made = (await readAttempts(scope)).filter(({ orderType }) => orderType === 'order');
  const ids = [...parts, ...made].flatMap(({ serviceOrderId }) => serviceOrderId ?? []);
  return [...new Set(ids)].map((id) => ({ id, fulfillmentStatus: null }));
}

/** Finishes a cancellation that the service did not refuse, once the search shows nothing live and no further order can appear. */
async function finishCancellation(scope: SubmitScope, search: OrderSearch, isDeleted: boolean): Promise<void> {
  const { app, printOrder } = scope;
  const { serviceOrderId } = printOrder;
  const ageSeconds = (app.clock.now().getTime() - (printOrder.cancelRequestedAt ?? app.clock.now()).getTime()) / 1000;
  const [shown] = search.groups.filter(isLive);
  if (shown && ageSeconds > app.config.print.submitQuietSeconds) {
    const why = 'the print service reported that it canceled the order, but continues to process it';
    return continuePrinting(
      scope,
      shown.map(({ id }) => ({ id, why, isDone: false })),
      shown,
    );
  }
  if (shown || search.drafts.length > 0) return waitToSubmit(scope, { why: STILL_SHOWN, seconds: 2 });
  // Someone who requests a reprint has already decided that the first order does not exist.
  const isUnsettled =
    printOrder.submitWay === 'direct' && printOrder.confirmedAt === null && search.groups.length === 0;
  if (isUnsettled && printOrder.printAgainAt === null) {
    const attempts = await readAttempts(scope);
    const open = attempts.findLast(({ outcome }) => outcome === null || outcome === 'unclear');
    if (open) return settleAbsence(scope, open, attempts);
  }
  // If the search does not show a known order, the search is lagging, so nothing is proven yet.
  const isShown = search.groups.some((group) => group.some(({ id }) => id === serviceOrderId));
  if (serviceOrderId !== null && !isDeleted && !isShown && !(await isPermanentlyGone(scope)))
    return waitToSubmit(scope, { why: NOT_SHOWN, seconds: 5 });
  await scope.order.change((manager) => finishFence(scope, manager, 'canceled'));
}

/** Requests the cancellation of each part, because connected parts form one order. Each result states why a part could not be stopped. */
async function cancelParts(
  scope: SubmitScope,
  parts: readonly { id: string; fulfillmentStatus: string | null }[],
  { isShown }: { isShown: boolean },
): Promise<Canceled[]> {
  const canceled: Canceled[] = [];
  for (const { id, fulfillmentStatus } of parts)
    canceled.push(fulfillmentStatus === 'canceled' ? toDone(id) : await cancelPart(scope, id, isShown));
  return canceled;
}

function toDone(id: string): Canceled {
  return { id, why: null, isDone: true };
}

/**
 * Cancels one part. If `isShown` is true, a search has shown the part, so `not_found` cannot mean that the service does not show the part
 * yet.
 */
async function cancelPart(scope: SubmitScope, id: string, isShown: boolean): Promise<Canceled> {
  const { port } = scope;
  const refuse = (why: string): Canceled => ({ id, why, isDone: false });
  if (port.cancel === 'unsupported') return refuse('this interface of the print service does not support cancellation');
  try {
    await port.cancel(id);
    return toDone(id);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    if (error.outcome !== 'refused' && error.outcome !== 'not_found') throw error;
    if (error.outcome === 'not_found' && !isShown) return { id, why: null, isDone: false };
    // An earlier request may have canceled all parts together, or the response to an earlier cancel request may have been lost.
    const shown = port.status === 'unsupported' ? null : await readOrder(scope, id);
    if (shown?.fulfillmentStatus === 'canceled') return toDone(id);
    return refuse(
      error.outcome === 'refused'
        ? 'the print service is already printing it'
        : 'the print service does not have it under this reference, or does not support cancellation',
    );
  }
}

function isRefused({ why }: Canceled): boolean {
  return why !== null;
}

/**
 * Lets a print order that cannot be canceled continue. Opens a hold with the reason, and does not request the cancellation again. `group`
 * contains the parts that a search found and that must be followed.
 */
async function continuePrinting(
  scope: SubmitScope,
  parts: readonly Canceled[],
  group: OrderSearch['groups'][number],
): Promise<void> {
  const { app, printOrder } = scope;
  if (printOrder.confirmedAt === null) {
    await adoptOrder(scope, group, {
      kind: 'adopted',
      message: `${printOrder.reference} is already at the print service.`,
    });
  }
  const why = describeRefusal(parts);
  const message = `This print order could not be canceled: ${why}.`;
  await scope.order.change(async (manager) => {
    const set = { cancelRequestedAt: null };
    const now = app.clock.now();
    if (await holdPrintOrder(manager, scope.printOrder, { code: 'cannot_cancel', message }, set))
      await writeDeviation(manager, printOrder.id, { cancelRefusedAt: now, cancelRefusedWhy: why }, now);
    await enqueuePlan(manager, printOrder.storefrontOrderId);
  });
}

function describeRefusal(parts: readonly Canceled[]): string {
  const refused = parts.filter(isRefused);
  const why = refused[0]?.why ?? 'it is too late';
  const done = parts.filter(({ isDone }) => isDone).map(({ id }) => id);
  if (done.length === 0) return why;
  return `${why} (part ${refused.map(({ id }) => id).join(', ')}; canceled in time: part ${done.join(', ')})`;
}
