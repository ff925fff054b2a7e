import { In } from 'typeorm';
import { PrintOrders, type PrintOrder, type PrintOrderState } from '../../database/print-orders.ts';
import type { FoundOrder, PrintInterface } from '../../print/port.ts';
import { makeReference } from './make-reference.ts';
import type { SubmitScope } from './submit-scope.ts';

/** Parts after the last that the database knows are looked for too: a restored one may have forgotten them. */
const PARTS_AHEAD = 10;

/** What the service shows under a reference. */
export interface Look {
  /** Orders that are no drafts, connected parts together; cancelled and failed ones too. */
  groups: FoundOrder[][];
  drafts: FoundOrder[];
  /** References of parts, later ones too, with a live order that the database does not know. */
  unknownReferences: string[];
  /** The same, of which all that is there was cancelled or failed. */
  overReferences: string[];
  /** References of other parts of this sale that are about to be sent, and have an order already. */
  siblingReferences: string[];
}

/**
 * Searches the account for this reference, the next ten parts that the database does not know, and the parts of this sale that
 * nothing was sent under: a restored database may divide the order otherwise. Throws PrintServiceError: no answer is no evidence.
 */
export async function lookForOrders(scope: SubmitScope): Promise<Look> {
  const { printOrder, port } = scope;
  const isFull = await isFullLook(scope);
  const ahead = isFull ? referencesAhead(scope, printOrder.printInterface) : [];
  const siblings = isFull ? await readUnsentSiblings(scope) : [];
  const orderReferenceIds = [printOrder.reference, ...siblings.map(({ reference }) => reference), ...ahead];
  const records: FoundOrder[] = [];
  for await (const record of port.find({ orderReferenceIds })) records.push(record);
  const orders = records.filter((record) => !isDraft(record));
  const shown = new Set(orders.map(({ orderReferenceId }) => orderReferenceId));
  const living = new Set(orders.filter((order) => isLive([order])).map(({ orderReferenceId }) => orderReferenceId));
  const ofSiblings = siblings.filter(({ reference }) => shown.has(reference));
  const isOwn = ({ orderReferenceId }: FoundOrder): boolean => orderReferenceId === printOrder.reference;
  const shownAhead = ahead.filter((reference) => shown.has(reference));
  const forgotten = await dropKnown(scope, shownAhead);
  const stuck = ofSiblings.filter(({ state }) => !GOES_ON.has(state)).map(({ reference }) => reference);
  const unknown = [...forgotten, ...stuck];
  return {
    groups: groupConnected(orders.filter(isOwn)),
    drafts: records.filter((record) => isOwn(record) && isDraft(record)),
    unknownReferences: unknown.filter((reference) => living.has(reference)),
    overReferences: unknown.filter((reference) => !living.has(reference)),
    siblingReferences: ofSiblings.filter(({ state }) => GOES_ON.has(state)).map(({ reference }) => reference),
  };
}

/** References of the parts of a sale that come after those that the database knows. */
export function referencesAhead(
  { shop, storefrontOrder, installation }: Pick<SubmitScope, 'shop' | 'storefrontOrder' | 'installation'>,
  printInterface: PrintInterface,
): string[] {
  const { shopifyOrderId, name: orderName, nextPart } = storefrontOrder;
  const { code, referenceKey: key } = installation;
  const source = { installation: code, key, shop: shop.domain, shopifyOrderId, orderName };
  return Array.from({ length: PARTS_AHEAD }, (_, index) => makeReference(source, nextPart + index, printInterface));
}

/** States from which a print order looks for itself and takes what it finds. */
const GOES_ON: ReadonlySet<PrintOrderState> = new Set(['quoted', 'submitting', 'uncertain']);

/** Other parts of the sale that nothing was sent under: an order there is one that the database forgot. */
function readUnsentSiblings({ app, printOrder }: SubmitScope): Promise<Pick<PrintOrder, 'reference' | 'state'>[]> {
  return app.db.query(
    `select p.reference, p.state from print_orders p
     where p.storefront_order_id = $1 and p.id <> $2 and p.print_interface = $3 and p.confirmed_at is null and p.fenced_at is null
       and p.service_order_id is null and not exists (select from submit_attempts a where a.print_order_id = p.id)
     order by p.id limit 100`,
    [printOrder.storefrontOrderId, printOrder.id, printOrder.printInterface],
  );
}

/** The parts counted on meanwhile are known by now. */
async function dropKnown({ app }: SubmitScope, references: string[]): Promise<string[]> {
  if (references.length === 0) return [];
  const known = await app.db.manager.findBy(PrintOrders, { reference: In(references) });
  return references.filter((reference) => known.every((one) => one.reference !== reference));
}

/**
 * In the earlier interface each reference is a call of its own: the other parts are looked for once, by the first of the print
 * orders that were planned together to be sent. What it finds stops it, so that those after it look as well.
 */
async function isFullLook({ app, port, printOrder }: SubmitScope): Promise<boolean> {
  if (port.printInterface === 'current') return true;
  const begun: unknown[] = await app.db.query(
    `select from submit_attempts a join print_orders p on p.id = a.print_order_id
     where p.storefront_order_id = $1 and a.begun_at >= $2 limit 1`,
    [printOrder.storefrontOrderId, printOrder.createdAt],
  );
  return begun.length === 0;
}

/** Whether a record is a draft: never printed, never charged. */
export function isDraft(record: { orderType: string | null; fulfillmentStatus: string | null }): boolean {
  return record.orderType === 'draft' || (record.orderType === null && record.fulfillmentStatus === 'draft');
}

/** Records that name each other, directly or over others, are parts of one order. */
export function groupConnected<Part extends { id: string; connectedOrderIds: string[] }>(
  records: readonly Part[],
): Part[][] {
  const groups: { ids: Set<string>; parts: Part[] }[] = [];
  for (const record of records) {
    const ids = new Set([record.id, ...record.connectedOrderIds]);
    const touching = groups.filter((group) => [...ids].some((id) => group.ids.has(id)));
    for (const group of touching) groups.splice(groups.indexOf(group), 1);
    groups.push({
      ids: new Set([...touching.flatMap((group) => [...group.ids]), ...ids]),
      parts: [...touching.flatMap((group) => group.parts), record],
    });
  }
  return groups.map(({ parts }) => parts);
}

/** Whether a group still stands for something that is or will be printed. */
export function isLive(group: readonly { fulfillmentStatus: string | null }[]): boolean {
  return group.some(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled' && fulfillmentStatus !== 'failed');
}
