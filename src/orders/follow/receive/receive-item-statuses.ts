import { IsNull, type EntityManager } from 'typeorm';
import { Holds, TimelineEntries } from '../../../database/entities/orders.ts';
import { PrintOrderLines, type PrintOrderLine } from '../../../database/entities/print-orders.ts';
import type { FoundOrder, PortOrder } from '../../../print/port.ts';
import { openServiceHold, resolveServiceHolds } from '../service-holds.ts';
import {
  describeTrouble,
  willNeverShip,
  isPrinted,
  describeLine,
  toServiceHoldCode,
} from '../../facts/service-trouble.ts';
import type { SubmitScope } from '../../submit/submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';
import { readComments } from './receive-comment.ts';

type Part = Pick<FoundOrder, 'fulfillmentStatus'> | Pick<PortOrder, 'fulfillmentStatus' | 'items'>;
/** Appended to a hold message if only an event reported the problem, because events are not signed and may be forged. */
const ONLY_REPORTED_BY_EVENT = " (Only an event reported this. Check the print service's dashboard first.)";

type ItemScope = Pick<SubmitScope, 'app' | 'printOrder' | 'lines'>;

/** A line's units in one part of the order. */
interface Piece {
  itemReferenceId: string;
  quantity: number | null;
  status: string;
  /** Whether the whole part has this status and has not ended. If so, a hold for the whole print order covers the item. */
  isOfOrder: boolean;
}

/**
 * Records the service's status of each line. Holds a line that needs the merchant's attention, while the rest of the order continues, and
 * resolves the hold once the line continues. If `opensHolds` is false, a hold for the whole order covers the lines.
 */
export async function receiveItemStatuses(
  scope: ItemScope,
  manager: EntityManager,
  parts: readonly Part[],
  { opensHolds = true, isEventAlone = false }: { opensHolds?: boolean; isEventAlone?: boolean } = {},
): Promise<void> {
  const pieces = parts.flatMap(toPieces);
  for (const line of scope.lines) {
    const own = pieces.filter(({ itemReferenceId }) => itemReferenceId === line.itemReferenceId);
    const trouble = own.find(({ status, isOfOrder }) => !isOfOrder && toServiceHoldCode(status) !== null) ?? null;
    // A line has ended only when all its pieces have ended.
    const status = (
      own.every((piece) => willNeverShip(piece.status)) ? own[0] : own.find((piece) => !willNeverShip(piece.status))
    )?.status;
    if (status === undefined) continue;
    const over = countUnits(own.filter((piece) => willNeverShip(piece.status)));
    const unitsOver = willNeverShip(status) ? 0 : Math.min(over, line.quantity);
    await manager.update(PrintOrderLines, { id: line.id }, { serviceStatus: status, unitsOver });
    if (!opensHolds) continue;
    const code = toServiceHoldCode(trouble?.status ?? null);
    await resolveServiceHolds(manager, scope.printOrder, { line, except: code, now: scope.app.clock.now() });
    const about = { status: trouble?.status ?? '', ofLine: status, of: own, isEventAlone };
    if (trouble) await holdLine(scope, manager, line, about);
    else if (toServiceHoldCode(line.serviceStatus) !== null && toServiceHoldCode(status) === null)
      await recordItemEntry(
        scope,
        manager,
        line,
        'item_goes_on',
        `${describeLine(line)} continues at the print service.`,
      );
  }
}

/**
 * Clears a line's problem that only an unsigned event reported, for an account that cannot read items. Once a package with the line is
 * confirmed, or the service shows an order with only this line as printed, the report was wrong or the problem is over.
 */
export async function clearReportedItems(
  scope: ItemScope,
  manager: EntityManager,
  parts: readonly Pick<FoundOrder, 'fulfillmentStatus'>[],
): Promise<void> {
  const isAllPrinted = scope.lines.length === 1 && parts.every(({ fulfillmentStatus }) => isPrinted(fulfillmentStatus));
  for (const line of scope.lines) {
    const code = toServiceHoldCode(line.serviceStatus);
    if (code === null || code === 'service_returned') continue;
    if (!isAllPrinted && !(await hasPackage(scope, manager, line))) continue;
    await manager.update(PrintOrderLines, { id: line.id }, { serviceStatus: null });
    await resolveServiceHolds(manager, scope.printOrder, { line, except: null, now: scope.app.clock.now() });
    const message = `${describeLine(line)} continues at the print service, although an event reported a problem with it.`;
    await recordItemEntry(scope, manager, line, 'item_goes_on', message);
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
 * Records an item's status from an event, for an account that cannot read items. Such a status only opens holds. A line that has failed
 * or was canceled keeps that status, even if another event arrives later.
 */
export async function receiveReportedItemStatus(
  scope: ItemScope,
  manager: EntityManager,
  { itemReferenceId, status }: { itemReferenceId: string; status: string },
): Promise<void> {
  const lines = scope.lines.filter(
    (line) => line.itemReferenceId === itemReferenceId && !willNeverShip(line.serviceStatus),
  );
  const items = [{ id: itemReferenceId, itemReferenceId, productUid: null, quantity: null, fulfillmentStatus: status }];
  await receiveItemStatuses({ ...scope, lines }, manager, [{ fulfillmentStatus: null, items }], { isEventAlone: true });
}

function toPieces(part: Part): Piece[] {
  const { fulfillmentStatus: ofPart } = part;
  const items = 'items' in part ? part.items : [];
  return items.map(({ itemReferenceId, quantity, fulfillmentStatus }) => {
    const status =
      (willNeverShip(ofPart) && !willNeverShip(fulfillmentStatus) ? ofPart : fulfillmentStatus) ?? ofPart ?? '';
    return { itemReferenceId, quantity, status, isOfOrder: status === ofPart && !willNeverShip(ofPart) };
  });
}

/** Counts the pieces' units. Pieces whose quantity the service does not report count as zero. */
function countUnits(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/**
 * Holds a line once per status and number of units, so that a resolved hold is not reopened. Adds the service's later comments to an open
 * hold.
 */
async function holdLine(
  scope: ItemScope,
  manager: EntityManager,
  line: PrintOrderLine,
  { status, ofLine, of, isEventAlone }: { status: string; ofLine: string; of: readonly Piece[]; isEventAlone: boolean },
): Promise<void> {
  const code = toServiceHoldCode(status);
  if (code === null || line.printAgainAt !== null || scope.printOrder.printAgainAt !== null) return;
  const kind = `item_${status}`;
  const ofStatus = of.filter((piece) => piece.status === status);
  const units = ofStatus.some(({ quantity }) => quantity === null) ? line.quantity : countUnits(ofStatus);
  const isKnown =
    ofLine === status ? line.serviceStatus === status : await isRecorded(scope, manager, { line, kind, units });
  const { id: printOrderId } = scope.printOrder;
  const open = { printOrderId, code, shopifyLineItemId: line.shopifyLineItemId, resolvedAt: IsNull() };
  if (isKnown && !(await manager.existsBy(Holds, open))) return;
  const share = units < line.quantity ? ` This affects ${units} of ${line.quantity} units.` : '';
  const words = (await readComments(manager, printOrderId, status)).get(line.itemReferenceId) ?? null;
  const hint = isEventAlone ? ONLY_REPORTED_BY_EVENT : '';
  if (!isKnown)
    await recordItemEntry(scope, manager, line, kind, describeTrouble(status, line, null) + share, { units });
  await openServiceHold(manager, scope.printOrder, {
    code,
    message: describeTrouble(status, line, words) + share + hint,
    line,
  });
}

async function isRecorded(
  { printOrder }: ItemScope,
  manager: EntityManager,
  { line, kind, units }: { line: PrintOrderLine; kind: string; units: number },
): Promise<boolean> {
  const noted = await manager.findBy(TimelineEntries, { printOrderId: printOrder.id, kind });
  return noted.some(
    ({ data }) => data['itemReferenceId'] === line.itemReferenceId && Number(data['units'] ?? Infinity) >= units,
  );
}

async function recordItemEntry(
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
