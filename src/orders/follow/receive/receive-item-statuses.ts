import { IsNull, type EntityManager } from 'typeorm';
import { Holds, TimelineEntries } from '../../../database/entities/orders.ts';
import { PrintOrderLines, type PrintOrderLine } from '../../../database/entities/print-orders.ts';
import type { FoundOrder, ShownOrder } from '../../../print/port.ts';
import { openServiceHold, resolveServiceHolds } from '../service-holds.ts';
import { describeTrouble, isOver, isPrinted, nameLine, toServiceHold } from '../../facts/service-trouble.ts';
import type { SubmitScope } from '../../submit/submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

type Part = Pick<FoundOrder, 'fulfillmentStatus'> | Pick<ShownOrder, 'fulfillmentStatus' | 'items'>;
/** Nobody signs an event. */
const TOLD_ALONE = ' (It is told by an event alone: look in the dashboard of the print service first.)';

type ItemScope = Pick<SubmitScope, 'app' | 'printOrder' | 'lines'>;

/** A piece of a line in one part of the order. */
interface Piece {
  itemReferenceId: string;
  quantity: number | null;
  status: string;
  /** Whether the part says the same of all of it and goes on: then the print order says it. */
  isOfOrder: boolean;
}

/**
 * Keeps what the service says of each line, and holds the lines that need a person while the rest of the order goes on; a hold goes
 * when its line does. `opensHolds` false: the order as a whole says it.
 */
export async function receiveItemStatuses(
  scope: ItemScope,
  manager: EntityManager,
  parts: readonly Part[],
  { opensHolds = true, isToldAlone = false }: { opensHolds?: boolean; isToldAlone?: boolean } = {},
): Promise<void> {
  const pieces = parts.flatMap(toPieces);
  for (const line of scope.lines) {
    const own = pieces.filter(({ itemReferenceId }) => itemReferenceId === line.itemReferenceId);
    const trouble = own.find(({ status, isOfOrder }) => !isOfOrder && toServiceHold(status) !== null) ?? null;
    // A line is over when all of it is: what is left of it still comes.
    const status = (own.every((piece) => isOver(piece.status)) ? own[0] : own.find((piece) => !isOver(piece.status)))
      ?.status;
    if (status === undefined) continue;
    const unitsOver = isOver(status) ? 0 : countUnits(own.filter((piece) => isOver(piece.status)));
    await manager.update(PrintOrderLines, { id: line.id }, { serviceStatus: status, unitsOver });
    if (!opensHolds) continue;
    const code = toServiceHold(trouble?.status ?? null);
    await resolveServiceHolds(manager, scope.printOrder, { line, except: code, now: scope.app.now() });
    const about = { status: trouble?.status ?? '', ofLine: status, of: own, isToldAlone };
    if (trouble) await holdLine(scope, manager, line, about);
    else if (toServiceHold(line.serviceStatus) !== null && toServiceHold(status) === null)
      await note(scope, manager, line, 'item_goes_on', `${nameLine(line)} goes on at the print service.`);
  }
}

/**
 * An event that nobody signs told of trouble with a line, for an account whose items no call shows: it was wrong, or is over, once a
 * package of the line is borne out, or once the service shows as printed an order that has no other line.
 */
export async function clearToldItems(
  scope: ItemScope,
  manager: EntityManager,
  parts: readonly Pick<FoundOrder, 'fulfillmentStatus'>[],
): Promise<void> {
  const isAllPrinted = scope.lines.length === 1 && parts.every(({ fulfillmentStatus }) => isPrinted(fulfillmentStatus));
  for (const line of scope.lines) {
    const code = toServiceHold(line.serviceStatus);
    if (code === null || code === 'service_returned') continue;
    if (!isAllPrinted && !(await hasPackage(scope, manager, line))) continue;
    await manager.update(PrintOrderLines, { id: line.id }, { serviceStatus: null });
    await resolveServiceHolds(manager, scope.printOrder, { line, except: null, now: scope.app.now() });
    const message = `${nameLine(line)} goes on at the print service, whatever an event told of it.`;
    await note(scope, manager, line, 'item_goes_on', message);
  }
}

async function hasPackage({ printOrder }: ItemScope, manager: EntityManager, line: PrintOrderLine): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `select from packages k join package_items i on i.package_id = k.id
     where k.print_order_id = $1 and i.item_reference_id = $2 and k.confirmed_at is not null and k.replaced_at is null limit 1`,
    [printOrder.id, line.itemReferenceId],
  );
  return rows.length > 0;
}

/**
 * Takes an item's status from an event, for an account whose items no call shows: nothing but a hold follows from it, and what is over
 * stays over, however late another event comes.
 */
export async function receiveToldItemStatus(
  scope: ItemScope,
  manager: EntityManager,
  { itemReferenceId, status }: { itemReferenceId: string; status: string },
): Promise<void> {
  const lines = scope.lines.filter((line) => line.itemReferenceId === itemReferenceId && !isOver(line.serviceStatus));
  const items = [{ id: itemReferenceId, itemReferenceId, productUid: null, quantity: null, fulfillmentStatus: status }];
  await receiveItemStatuses({ ...scope, lines }, manager, [{ fulfillmentStatus: null, items }], { isToldAlone: true });
}

function toPieces(part: Part): Piece[] {
  const { fulfillmentStatus: ofPart } = part;
  const items = 'items' in part ? part.items : [];
  return items.map(({ itemReferenceId, quantity, fulfillmentStatus }) => {
    const status = (isOver(ofPart) && !isOver(fulfillmentStatus) ? ofPart : fulfillmentStatus) ?? ofPart ?? '';
    return { itemReferenceId, quantity, status, isOfOrder: status === ofPart && !isOver(ofPart) };
  });
}

/** Where the service does not say how many there are, none is counted. */
function countUnits(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/** Told once for each status and number of units of a line: what a person settled stays settled; words that come later are taken. */
async function holdLine(
  scope: ItemScope,
  manager: EntityManager,
  line: PrintOrderLine,
  { status, ofLine, of, isToldAlone }: { status: string; ofLine: string; of: readonly Piece[]; isToldAlone: boolean },
): Promise<void> {
  const code = toServiceHold(status);
  if (code === null || line.printAgainAt !== null || scope.printOrder.printAgainAt !== null) return;
  const kind = `item_${status}`;
  const ofStatus = of.filter((piece) => piece.status === status);
  const units = ofStatus.some(({ quantity }) => quantity === null) ? line.quantity : countUnits(ofStatus);
  const isTold =
    ofLine === status ? line.serviceStatus === status : await isNoted(scope, manager, { line, kind, units });
  const { id: printOrderId } = scope.printOrder;
  const open = { printOrderId, code, shopifyLineItemId: line.shopifyLineItemId, resolvedAt: IsNull() };
  if (isTold && !(await manager.existsBy(Holds, open))) return;
  const share = units < line.quantity ? ` It is about ${units} of ${line.quantity} units.` : '';
  const words = line.serviceCommentStatus === status ? line.serviceComment : null;
  const hint = isToldAlone ? TOLD_ALONE : '';
  if (!isTold) await note(scope, manager, line, kind, describeTrouble(status, line, null) + share, { units });
  await openServiceHold(manager, scope.printOrder, {
    code,
    message: describeTrouble(status, line, words) + share + hint,
    line,
  });
}

async function isNoted(
  { printOrder }: ItemScope,
  manager: EntityManager,
  { line, kind, units }: { line: PrintOrderLine; kind: string; units: number },
): Promise<boolean> {
  const noted = await manager.findBy(TimelineEntries, { printOrderId: printOrder.id, kind });
  return noted.some(
    ({ data }) => data['itemReferenceId'] === line.itemReferenceId && Number(data['units'] ?? Infinity) >= units,
  );
}

async function note(
  { printOrder }: ItemScope,
  manager: EntityManager,
  { itemReferenceId }: PrintOrderLine,
  kind: string,
  message: string,
  data: { units?: number } = {},
): Promise<void> {
  const { shopId, storefrontOrderId, id: printOrderId, reference } = printOrder;
  const about = { shopId, storefrontOrderId, printOrderId };
  const entry = { ...about, kind, data: { itemReferenceId, ...data }, by: 'print service' };
  await writeTimeline(manager, { ...entry, message: `${reference}: ${message}` });
}
