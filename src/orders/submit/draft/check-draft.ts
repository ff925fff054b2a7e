import { IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../../../database/entities/orders.ts';
import type { PrintOrder } from '../../../database/entities/print-orders.ts';
import type { ShownOrder } from '../../../print/port.ts';
import { adoptOrder, PART_PAUSE_SECONDS, PARTS_MISSING, readOrder } from './adopt-order.ts';
import { compareDraft, unitsOf, type DraftEdit } from './compare-draft.ts';
import type { HoldCode } from '../../facts/hold-codes.ts';
import { holdPrintOrder } from '../../record/hold-print-order.ts';
import { isLongGone } from '../is-long-gone.ts';
import { isDraft } from '../../facts/found-orders.ts';
import { openBody } from '../../facts/recipient-column.ts';
import { waitToSubmit, type SubmitScope } from '../submit-scope.ts';

/** Parts of one draft that are read; the service names no more. */
const MOST_PARTS = 50;
/** A draft whose answer is older is read again: a worker that stalled must not confirm a draft that a person has edited since. */
const JUST_MS = 5_000;
/** Differences that a hold tells; more would not be read. */
const MOST_SENTENCES = 10;

/** What reading the chosen draft came to: it is confirmed as it is, with these units when a person has agreed to other ones; or not now. */
export type CheckedDraft = { isToConfirm: false } | { isToConfirm: true; units: ReadonlyMap<string, number> | null };

/** A draft as the service has shown it to this very job, and when, by `performance.now()`. */
export interface JustShown {
  order: ShownOrder;
  at: number;
}

/**
 * Reads the chosen draft right before it is confirmed: what a person made an order of is adopted, and what a person changed holds
 * until somebody says that it is to be confirmed so. A draft that is not shown is for the confirm to settle. One that was
 * `shown` a moment ago as it was sent is not read again. Throws PrintServiceError.
 */
export async function checkDraft(
  scope: SubmitScope,
  chosenId: string,
  shown: JustShown | null = null,
): Promise<CheckedDraft> {
  const { app, printOrder } = scope;
  if (shown !== null && isAsSent(scope, chosenId, shown)) return { isToConfirm: true, units: null };
  const parts = await readParts(scope, chosenId);
  if (parts === null) return { isToConfirm: true, units: null };
  if (parts === 'not_yet') {
    await waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_PAUSE_SECONDS });
    return { isToConfirm: false };
  }
  if (await adoptConverted(scope, parts)) return { isToConfirm: false };
  const edit = compareDraft(openBody(app, printOrder), parts, scope.lines);
  if (edit === null) return { isToConfirm: true, units: null };
  const units = unitsOf(parts);
  const hasOurs = scope.lines.some(({ itemReferenceId }) => (units.get(itemReferenceId) ?? 0) > 0);
  if (printOrder.acceptedDraftEdit === edit.sha256 && hasOurs) return { isToConfirm: true, units };
  const why = 'The draft was changed at the print service after it was made.';
  await scope.order.change((manager) => holdEdited(scope, manager, edit, why));
  return { isToConfirm: false };
}

/**
 * Whether the store still wants what a draft has that a person has agreed to: a line of which it has more than is left to print is asked
 * about again, saying so. `left`: units of each LineItem. A draft that is not shown is for the confirm to settle. Throws PrintServiceError.
 */
export async function checkAgreed(scope: SubmitScope, left: ReadonlyMap<string, number>): Promise<boolean> {
  const { app, printOrder, lines } = scope;
  const parts = printOrder.serviceOrderId === null ? null : await readParts(scope, printOrder.serviceOrderId);
  if (parts === null || parts === 'not_yet' || !parts.every(isDraft)) return true;
  const units = unitsOf(parts);
  const tooMany = lines.flatMap(({ itemReferenceId, shopifyLineItemId, sku, quantity }) => {
    const there = units.get(itemReferenceId) ?? (parts.some(hasUntold(itemReferenceId)) ? quantity : 0);
    const wanted = left.get(shopifyLineItemId) ?? 0;
    const name = sku === null ? 'a line without SKU' : `SKU ${sku}`;
    return there > wanted ? [`The draft has ${there} of ${name}, and the order now wants ${wanted}.`] : [];
  });
  const edit = tooMany.length === 0 ? null : compareDraft(openBody(app, printOrder), parts, lines);
  if (edit === null) return true;
  const why = `The order was changed in the store: its draft is not confirmed as it is. ${tooMany.slice(0, MOST_SENTENCES).join(' ')}`;
  await scope.order.change((manager) => holdEdited(scope, manager, edit, why, { acceptedDraftEdit: null }));
  return false;
}

/** A moment ago it was the whole draft, and as it was sent: what differs is held on a reading of its own. */
function isAsSent({ app, printOrder, lines }: SubmitScope, chosenId: string, { order, at }: JustShown): boolean {
  if (order.id !== chosenId || performance.now() - at > JUST_MS || !isDraft(order)) return false;
  if (order.items.length === 0 || order.connectedOrderIds.some((id) => id !== chosenId)) return false;
  return compareDraft(openBody(app, printOrder), [order], lines) === null;
}

/** Whether a part has an item without telling how often. */
function hasUntold(itemReferenceId: string): (part: Pick<ShownOrder, 'items'>) => boolean {
  return ({ items }) => items.some((item) => item.itemReferenceId === itemReferenceId && item.quantity === null);
}

/**
 * Whether the draft of a reference that the plan has closed is kept after all: it was left for a person, who has changed it there.
 * Then a person says which of the two counts; where the store wants nothing any more, there is nothing to choose. Throws PrintServiceError.
 */
export async function keepEditedDraft(scope: SubmitScope): Promise<boolean> {
  const { app, printOrder } = scope;
  const { serviceOrderId, isLeftAsDraft, confirmStartedAt, closedReason } = printOrder;
  if (!isLeftAsDraft || serviceOrderId === null || confirmStartedAt !== null) return false;
  // Of a cancelled or erased order nothing is left to choose.
  const { canceledAt, cancelAskedAt, redactedAt } = scope.storefrontOrder;
  if (canceledAt !== null || cancelAskedAt !== null || redactedAt !== null) return false;
  const isWanted = closedReason === 'not_wanted' && scope.storefrontOrder.outcome !== 'nothing_to_do';
  if (closedReason !== 'changed' && !isWanted) return false;
  const parts = await readParts(scope, serviceOrderId);
  if (parts === 'not_yet') {
    await waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_PAUSE_SECONDS });
    return true;
  }
  if (parts === null || !parts.every(isDraft)) return false;
  const edit = compareDraft(openBody(app, printOrder), parts, scope.lines);
  if (edit === null) return false;
  const why =
    'The order was changed in the store, and its draft was changed at the print service: it is not deleted unasked.';
  const reopened = { closedAt: null, closedReason: null };
  await scope.order.change((manager) => holdEdited(scope, manager, edit, why, reopened));
  return true;
}

/** What a person has released in the dashboard is followed; true when it was, or will be. */
export async function adoptConverted(scope: SubmitScope, parts: readonly ShownOrder[]): Promise<boolean> {
  if (parts.every(isDraft)) return false;
  const ids = parts.map(({ id }) => id).join(', ');
  const message = `${scope.printOrder.reference} was released in the dashboard of the print service (${ids}).`;
  await adoptOrder(scope, parts, { kind: 'adopted', message, shown: parts });
  return true;
}

/**
 * The chosen draft first, then the parts connected to it; null when the chosen one is not shown. A part that was removed there is left
 * out; 'not_yet': one is not shown, and is too young to be gone.
 */
export async function readParts(scope: SubmitScope, chosenId: string): Promise<ShownOrder[] | 'not_yet' | null> {
  const chosen = await readOrder(scope, chosenId);
  if (chosen === null) return null;
  const parts = [chosen];
  for (const id of chosen.connectedOrderIds.slice(0, MOST_PARTS)) {
    if (id === chosen.id) continue;
    const part = await readOrder(scope, id);
    if (part === null && !(await isLongGone(scope))) return 'not_yet';
    if (part !== null) parts.push(part);
  }
  return parts;
}

async function holdEdited(
  { app, printOrder }: SubmitScope,
  manager: EntityManager,
  edit: DraftEdit,
  why: string,
  set: Partial<PrintOrder> = {},
): Promise<void> {
  const { fields, sentences, sha256 } = edit;
  const more = sentences.length - MOST_SENTENCES;
  const told = [...sentences.slice(0, MOST_SENTENCES), ...(more > 0 ? [`And ${more} more.`] : [])];
  const message = [why, ...told].join(' ');
  const hold = { code: 'draft_edited' as const, field: fields[0] ?? null, message, data: { fields } };
  await holdPrintOrder(manager, printOrder, hold, { ...set, draftEdit: sha256 });
  // Which of the two counts is settled first: to release it is asked again after that.
  const left = { printOrderId: printOrder.id, code: 'left_as_draft' satisfies HoldCode, resolvedAt: IsNull() };
  await manager.update(Holds, left, { resolvedAt: app.now() });
}
