import { IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../../../database/entities/orders.ts';
import type { Deviation, PrintOrder } from '../../../database/entities/print-orders.ts';
import type { PortOrder } from '../../../print/port.ts';
import { adoptOrder, PART_RETRY_SECONDS, PARTS_MISSING, readOrder } from './adopt-order.ts';
import { compareDraft, unitsOf, type DraftEdit } from './compare-draft.ts';
import type { HoldCode } from '../../facts/hold-codes.ts';
import { holdPrintOrder } from '../../record/hold-print-order.ts';
import { isPermanentlyGone } from '../is-permanently-gone.ts';
import { isDraft } from '../../facts/found-orders.ts';
import { limitSentences } from '../../facts/limit-sentences.ts';
import { readDeviation, writeDeviation } from '../../rows/deviations.ts';
import { decryptBody } from '../../facts/recipient-column.ts';
import { waitToSubmit, type SubmitScope } from '../submit-scope.ts';

/** Maximum number of a draft's parts to read. The service never lists more. */
const MAX_PARTS = 50;
/**
 * A draft that was last read longer ago than this is read again, so that a stalled worker does not confirm a draft that was edited since.
 */
const RECENT_MS = 5_000;

/** Whether to confirm the chosen draft now. `units` contains the draft's quantities if someone has accepted an edited draft. */
export type CheckedDraft = { isToConfirm: false } | { isToConfirm: true; units: ReadonlyMap<string, number> | null };

/** A draft as the service showed it to this job, with the time from `clock.ticks()`. */
export interface RecentReading {
  order: PortOrder;
  at: number;
}

/**
 * Reads the chosen draft right before it is confirmed. A draft released in the dashboard is adopted. An edited draft is held until its edit
 * is accepted. If the service does not show the draft, `confirmDraft` sends the confirm request, whose response resolves the draft's state.
 * If `shown` is a recent reading of the unchanged draft, the draft is not read again. Throws PrintServiceError.
 */
export async function checkDraft(
  scope: SubmitScope,
  chosenId: string,
  shown: RecentReading | null = null,
): Promise<CheckedDraft> {
  const { app, printOrder } = scope;
  if (shown !== null && isAsSent(scope, chosenId, shown)) return { isToConfirm: true, units: null };
  const parts = await readParts(scope, chosenId);
  if (parts === null) return { isToConfirm: true, units: null };
  if (parts === 'not_yet') {
    await waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_RETRY_SECONDS });
    return { isToConfirm: false };
  }
  if (await adoptReleasedDraft(scope, parts)) return { isToConfirm: false };
  const edit = compareDraft(decryptBody(app, printOrder), parts, scope.lines);
  if (edit === null) return { isToConfirm: true, units: null };
  const units = unitsOf(parts);
  const hasOurs = scope.lines.some(({ itemReferenceId }) => (units.get(itemReferenceId) ?? 0) > 0);
  const { acceptedDraftEdit } = await readDeviation(scope.order.reader, printOrder.id);
  if (acceptedDraftEdit === edit.sha256 && hasOurs) return { isToConfirm: true, units };
  const why = 'The draft was changed at the print service after it was created.';
  await scope.order.change((manager) => holdEditedDraft(scope, manager, edit, why));
  return { isToConfirm: false };
}

/**
 * Returns whether all units of a draft with an accepted edit still have to be printed. If a line of the draft has more units than are left
 * to print (`left`, by LineItem), the draft is held again with a message. If the service does not show the draft, returns true, because the
 * confirm request then resolves the draft's state. Throws PrintServiceError.
 */
export async function checkAcceptedDraft(scope: SubmitScope, left: ReadonlyMap<string, number>): Promise<boolean> {
  const { app, printOrder, lines } = scope;
  const parts = printOrder.serviceOrderId === null ? null : await readParts(scope, printOrder.serviceOrderId);
  if (parts === null || parts === 'not_yet' || !parts.every(isDraft)) return true;
  const units = unitsOf(parts);
  const tooMany = lines.flatMap(({ itemReferenceId, shopifyLineItemId, sku, quantity }) => {
    const there = units.get(itemReferenceId) ?? (parts.some(lacksQuantity(itemReferenceId)) ? quantity : 0);
    const wanted = left.get(shopifyLineItemId) ?? 0;
    const name = sku === null ? 'a line without a SKU' : `SKU ${sku}`;
    return there > wanted ? [`The draft has ${there} of ${name}, but the order now needs ${wanted}.`] : [];
  });
  const edit = tooMany.length === 0 ? null : compareDraft(decryptBody(app, printOrder), parts, lines);
  if (edit === null) return true;
  const why = `The order was changed in the store, so its draft was not confirmed. ${limitSentences(tooMany).join(' ')}`;
  const deviation = { acceptedDraftEdit: null };
  await scope.order.change((manager) => holdEditedDraft(scope, manager, edit, why, { deviation }));
  return false;
}

/**
 * Returns whether the reading is recent and complete and matches the body that was sent. If it does not match, the draft is read again
 * before a hold is opened.
 */
function isAsSent({ app, printOrder, lines }: SubmitScope, chosenId: string, { order, at }: RecentReading): boolean {
  if (order.id !== chosenId || app.clock.ticks() - at > RECENT_MS || !isDraft(order)) return false;
  // Without its quantities, the response does not show whether the service understood the request.
  if (order.items.length === 0 || order.items.some(({ quantity }) => quantity === null)) return false;
  if (order.connectedOrderIds.some((id) => id !== chosenId)) return false;
  return compareDraft(decryptBody(app, printOrder), [order], lines) === null;
}

/** Returns a predicate that checks whether a part shows the item without a quantity. */
function lacksQuantity(itemReferenceId: string): (part: Pick<PortOrder, 'items'>) => boolean {
  return ({ items }) => items.some((item) => item.itemReferenceId === itemReferenceId && item.quantity === null);
}

/**
 * Returns whether a closed reference's draft must not be deleted, because it was left in the dashboard and someone edited it there. Someone
 * must then decide which version is printed, unless the order no longer needs to be printed. Throws PrintServiceError.
 */
export async function mustKeepEditedDraft(scope: SubmitScope): Promise<boolean> {
  const { app, printOrder } = scope;
  const { serviceOrderId, isLeftAsDraft, confirmStartedAt, closedReason } = printOrder;
  if (!isLeftAsDraft || serviceOrderId === null || confirmStartedAt !== null) return false;
  // For a canceled or redacted order, there is nothing to decide.
  const { canceledAt, cancelAskedAt, redactedAt } = scope.storefrontOrder;
  if (canceledAt !== null || cancelAskedAt !== null || redactedAt !== null) return false;
  const isWanted = closedReason === 'not_wanted' && scope.storefrontOrder.outcome !== 'nothing_to_do';
  if (closedReason !== 'changed' && !isWanted) return false;
  const parts = await readParts(scope, serviceOrderId);
  if (parts === 'not_yet') {
    await waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_RETRY_SECONDS });
    return true;
  }
  if (parts === null || !parts.every(isDraft)) return false;
  const edit = compareDraft(decryptBody(app, printOrder), parts, scope.lines);
  if (edit === null) return false;
  const why =
    'The order was changed in the store, and its draft was changed at the print service. Platen does not delete the draft without confirmation.';
  const set = { closedAt: null, closedReason: null };
  await scope.order.change((manager) => holdEditedDraft(scope, manager, edit, why, { set }));
  return true;
}

/**
 * Adopts a draft that was released in the dashboard. Returns whether the draft was released, even if the service does not show all parts
 * yet.
 */
export async function adoptReleasedDraft(scope: SubmitScope, parts: readonly PortOrder[]): Promise<boolean> {
  if (parts.every(isDraft)) return false;
  const ids = parts.map(({ id }) => id).join(', ');
  const message = `${scope.printOrder.reference} was released in the print service's dashboard (${ids}).`;
  await adoptOrder(scope, parts, { kind: 'adopted', message, shown: parts });
  return true;
}

/**
 * Returns the chosen draft and then its connected parts. Returns null if the service does not show the chosen draft, or 'not_yet' if it
 * does not show a part that is too young to be considered deleted. Omits parts that were deleted at the service.
 */
export async function readParts(scope: SubmitScope, chosenId: string): Promise<PortOrder[] | 'not_yet' | null> {
  const chosen = await readOrder(scope, chosenId);
  if (chosen === null) return null;
  const parts = [chosen];
  for (const id of chosen.connectedOrderIds.slice(0, MAX_PARTS)) {
    if (id === chosen.id) continue;
    const part = await readOrder(scope, id);
    if (part === null && !(await isPermanentlyGone(scope))) return 'not_yet';
    if (part !== null) parts.push(part);
  }
  return parts;
}

async function holdEditedDraft(
  { app, printOrder }: SubmitScope,
  manager: EntityManager,
  edit: DraftEdit,
  why: string,
  { set = {}, deviation = {} }: { set?: Partial<PrintOrder>; deviation?: Partial<Deviation> } = {},
): Promise<void> {
  const { fields, sentences, sha256 } = edit;
  const message = [why, ...limitSentences(sentences)].join(' ');
  const hold = { code: 'draft_edited' as const, field: fields[0] ?? null, message, data: { fields } };
  if (await holdPrintOrder(manager, printOrder, hold, set))
    await writeDeviation(manager, printOrder.id, { ...deviation, draftEdit: sha256 }, app.clock.now());
  // Someone must first decide which version of the draft counts, so the hold that waits for its release is resolved.
  const left = { printOrderId: printOrder.id, code: 'left_as_draft' satisfies HoldCode, resolvedAt: IsNull() };
  await manager.update(Holds, left, { resolvedAt: app.clock.now() });
}
