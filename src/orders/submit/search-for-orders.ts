import { In, IsNull, MoreThanOrEqual, Not } from 'typeorm';
import {
  PrintOrders,
  SubmitAttempts,
  type PrintOrder,
  type PrintOrderState,
} from '../../database/entities/print-orders.ts';
import { findEach } from '../../print/find-each.ts';
import type { FoundOrder, PrintPort } from '../../print/port.ts';
import type { OrderSession } from '../rows/order-session.ts';
import type { SubmitScope } from './submit-scope.ts';
import { groupConnected, isDraft, isLive, mayLackParts, nextReferences } from '../facts/found-orders.ts';

/** Maximum number of the storefront order's other parts in the same search. */
const MAX_SIBLINGS = 100;

/** The result of a search for a reference. */
export interface OrderSearch {
  /** Orders that are not drafts, grouped with their connected parts, including canceled and failed orders. */
  groups: FoundOrder[][];
  drafts: FoundOrder[];
  /** References of parts, including later parts, that have a live order but do not exist in the database. */
  unknownReferences: string[];
  /** Like `unknownReferences`, but every order found under these references was canceled or failed. */
  endedReferences: string[];
  /** References of the storefront order's other parts that are about to be submitted, but already have an order at the service. */
  siblingReferences: string[];
}

/**
 * Searches the account for this reference. The same search includes the storefront order's unsent parts and the next parts, which are not in
 * the database, because a restored database may lack parts or split the order differently. Throws PrintServiceError if the search
 * fails, because a failed search proves nothing.
 */
export async function searchForOrders(scope: SubmitScope): Promise<OrderSearch> {
  const { printOrder, port } = scope;
  const isFull = await mustSearchAllParts(scope);
  const next = isFull ? nextReferences(scope, printOrder.printInterface, { count: getPartsAhead(scope) }) : [];
  const ahead = next.map(({ reference }) => reference);
  const siblings = isFull ? await readUnsentSiblings(scope) : [];
  const references = [printOrder.reference, ...siblings.map(({ reference }) => reference), ...ahead];
  const records = await Array.fromAsync(findEach(scope.app.clock, port, references));
  const orders = records.filter((record) => !isDraft(record));
  const shown = new Set(orders.map(({ orderReferenceId }) => orderReferenceId));
  const living = new Set(orders.filter((order) => isLive([order])).map(({ orderReferenceId }) => orderReferenceId));
  const ofSiblings = siblings.filter(({ reference }) => shown.has(reference));
  const isOwn = ({ orderReferenceId }: FoundOrder): boolean => orderReferenceId === printOrder.reference;
  const shownAhead = ahead.filter((reference) => shown.has(reference));
  const forgotten = await omitKnownReferences(scope, shownAhead);
  const stuck = ofSiblings.filter(({ state }) => !ADOPTING_STATES.has(state)).map(({ reference }) => reference);
  const unknown = [...forgotten, ...stuck];
  return {
    groups: groupConnected(orders.filter(isOwn)),
    drafts: records.filter((record) => isOwn(record) && isDraft(record)),
    unknownReferences: unknown.filter((reference) => living.has(reference)),
    endedReferences: unknown.filter((reference) => !living.has(reference)),
    siblingReferences: ofSiblings.filter(({ state }) => ADOPTING_STATES.has(state)).map(({ reference }) => reference),
  };
}

/** States in which a print order's own step searches for its order and adopts it. */
const ADOPTING_STATES: ReadonlySet<PrintOrderState> = new Set(['quoted', 'submitting', 'uncertain']);

/**
 * Reads the storefront order's other parts that have no attempt. If the service has an order for such a part, the database was restored and
 * lacks the attempt.
 */
async function readUnsentSiblings({ order, printOrder }: SubmitScope): Promise<PrintOrder[]> {
  const { id, storefrontOrderId, printInterface } = printOrder;
  const open = { confirmedAt: IsNull(), fencedAt: IsNull(), serviceOrderId: IsNull() };
  const where = { storefrontOrderId, id: Not(id), printInterface, ...open };
  const siblings = await order.reader.find(PrintOrders, { where, order: { id: 'ASC' } });
  const begun = await readStartedIds(order, siblings);
  return siblings.filter((one) => !begun.has(one.id)).slice(0, MAX_SIBLINGS);
}

/** Returns the IDs of the print orders with an attempt that began at `since` or later. */
async function readStartedIds(
  order: OrderSession,
  prints: readonly PrintOrder[],
  since = new Date(0),
): Promise<Set<string>> {
  const printOrderId = In(prints.map(({ id }) => id));
  const attempts = await order.reader.findBy(SubmitAttempts, { printOrderId, begunAt: MoreThanOrEqual(since) });
  return new Set(attempts.map((attempt) => attempt.printOrderId));
}

/** Returns the references, omitting those of parts that have been planned since the search began. */
async function omitKnownReferences({ app }: SubmitScope, references: string[]): Promise<string[]> {
  if (references.length === 0) return [];
  const known = await app.db.manager.findBy(PrintOrders, { reference: In(references) });
  return references.filter((reference) => known.every((one) => one.reference !== reference));
}

/**
 * Returns whether to search for all parts. In the earlier interfaces, each reference requires a separate request, so only the first
 * print order of a plan searches for the other parts. If that print order finds another part, it begins no attempt, so the next print order
 * searches for all parts too.
 */
async function mustSearchAllParts({ order, port, printOrder }: SubmitScope): Promise<boolean> {
  if (searchesTogether(port)) return true;
  const prints = await order.reader.findBy(PrintOrders, { storefrontOrderId: printOrder.storefrontOrderId });
  return (await readStartedIds(order, prints, printOrder.createdAt)).size === 0;
}

/**
 * Returns how many parts that are not in the database the search includes, or undefined for all. Where each of them requires a request, one
 * shows a restore that nobody has noticed.
 */
function getPartsAhead({ port, installation, storefrontOrder }: SubmitScope): number | undefined {
  return searchesTogether(port) || mayLackParts(installation, storefrontOrder.placedAt) ? undefined : 1;
}

function searchesTogether({ foundPerRequest }: PrintPort): boolean {
  return foundPerRequest > 1;
}
