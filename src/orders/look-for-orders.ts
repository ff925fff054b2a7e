import { PrintOrders } from '../database/print-orders.ts';
import type { FoundOrder } from '../print/port.ts';
import { makeReference } from './make-reference.ts';
import type { SubmitScope } from './submit-scope.ts';

/** Parts after this one that are looked for too: a restored database may have forgotten them. */
const PARTS_AHEAD = 10;

/** What the service shows under a reference. */
export interface Look {
  /** Orders that are no drafts, connected parts together; cancelled and failed ones too. */
  groups: FoundOrder[][];
  drafts: FoundOrder[];
  /** References of later parts with an order that the database does not know. */
  unknownReferences: string[];
}

/** Searches the account for this reference and the next ten parts. Throws PrintServiceError: no answer is no evidence. */
export async function lookForOrders(scope: SubmitScope): Promise<Look> {
  const { app, shop, storefrontOrder, printOrder, installation, port } = scope;
  const source = {
    installation: installation.code,
    key: installation.referenceKey,
    shop: shop.domain,
    shopifyOrderId: storefrontOrder.shopifyOrderId,
    orderName: storefrontOrder.name,
  };
  const partsAhead = await countPartsAhead(scope);
  const ahead = Array.from({ length: partsAhead }, (_, index) =>
    makeReference(source, printOrder.part + 1 + index, printOrder.printInterface),
  );
  const records: FoundOrder[] = [];
  for await (const record of port.find({ orderReferenceIds: [printOrder.reference, ...ahead] })) records.push(record);
  const known = await app.db.manager.find(PrintOrders, {
    where: { storefrontOrderId: storefrontOrder.id },
    select: { reference: true },
  });
  const references = new Set(known.map(({ reference }) => reference));
  const unknown = records.filter(
    (record) => ahead.includes(record.orderReferenceId) && !references.has(record.orderReferenceId) && !isDraft(record),
  );
  const own = records.filter(({ orderReferenceId }) => orderReferenceId === printOrder.reference);
  return {
    groups: groupConnected(own.filter((record) => !isDraft(record))),
    drafts: own.filter(isDraft),
    unknownReferences: [...new Set(unknown.map(({ orderReferenceId }) => orderReferenceId))],
  };
}

/**
 * In the earlier interface each reference is a call of its own: later parts are looked for once, by the first of the print
 * orders that were planned together to be sent.
 */
async function countPartsAhead({ app, port, printOrder }: SubmitScope): Promise<number> {
  if (port.printInterface === 'current') return PARTS_AHEAD;
  const begun: unknown[] = await app.db.query(
    `select from submit_attempts a join print_orders p on p.id = a.print_order_id
     where p.storefront_order_id = $1 and a.begun_at >= $2 limit 1`,
    [printOrder.storefrontOrderId, printOrder.createdAt],
  );
  return begun.length > 0 ? 0 : PARTS_AHEAD;
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
