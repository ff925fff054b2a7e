import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds } from '../../database/entities/orders.ts';
import { PackageItems, Packages } from '../../database/entities/packages.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import { enqueueWaitingPush } from '../enqueue/enqueue-push.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHoldWithEntry } from '../record/hold-print-order.ts';
import { NO_TRACKING_CODE } from '../facts/describe-tracking-codes.ts';
import { writeTimeline } from '../record/write-timeline.ts';

export const NO_TRACKING: HoldCode = 'no_tracking';

/**
 * SQL: line `l` of print order `p` has not failed or been canceled, and has units that no confirmed package contains. If a part of the
 * order does not report its shipped units, all remaining units are assumed to be in that part.
 */
export const IS_LINE_UNTRACKED = `l.print_order_id = p.id and l.print_again_at is null
  and coalesce(l.service_status, '') not in ('failed', 'canceled')
  and l.quantity > greatest(l.units_over, l.units_again) + (
    select coalesce(sum(coalesce(u.units, l.quantity)), 0) from (
      select max(i.quantity) as units from packages k join package_items i on i.package_id = k.id
      where k.print_order_id = p.id and k.confirmed_at is not null and i.item_reference_id = l.item_reference_id
      group by k.service_order_id) u)`;

/**
 * SQL: how many units of line `l` are in no package, and how many units the packages of part $2 report. The second number is null if the
 * packages report no units.
 */
const MISSING = `
  select l.item_reference_id as "itemReferenceId",
    l.quantity - greatest(l.units_over, l.units_again) - coalesce(sum(u.units), 0)::int as missing,
    max(u.units) filter (where u.part = $2) as said
  from print_orders p join print_order_lines l on ${IS_LINE_UNTRACKED}
    left join lateral (
      select k.service_order_id as part, max(i.quantity) as units from packages k join package_items i on i.package_id = k.id
      where k.print_order_id = p.id and k.confirmed_at is not null and i.item_reference_id = l.item_reference_id
      group by k.service_order_id) u on true
  where p.id = $1 group by l.id`;

/** SQL: the first part of print order $1 that is still open and has no tracking code. */
const PART_WITHOUT_CODE = `
  select s.service_order_id as id from service_orders s
  where s.print_order_id = $1 and s.role in ('chosen', 'part') and coalesce(s.status, '') not in ('failed', 'canceled')
    and not exists (select from packages k where k.print_order_id = $1 and k.service_order_id = s.service_order_id
      and k.confirmed_at is not null and k.tracking_code <> '')
  order by s.role, s.id limit 1`;

/** Holds a print order whose tracking codes are overdue, so that the merchant decides whether to fulfill it without them. */
export async function holdForMissingTracking(
  manager: EntityManager,
  printOrder: PrintOrder,
  days: number,
): Promise<void> {
  const message = `${printOrder.reference} was shipped more than ${days} ${days === 1 ? 'day' : 'days'} ago, but the print service has not reported all its tracking codes.`;
  await openHoldWithEntry(manager, printOrder, { code: NO_TRACKING, message });
}

/**
 * Fulfills, in the store, lines that shipped without a tracking code. Records a package without a code for these lines. A code that arrives
 * later is added to the package's fulfillment. Returns whether there were any such lines.
 */
export async function fulfillUntrackedParcels(
  app: App,
  manager: EntityManager,
  printOrder: PrintOrder,
  by: string,
): Promise<boolean> {
  const { id: printOrderId, shopId, storefrontOrderId, reference, serviceOrderId } = printOrder;
  if (serviceOrderId === null) return false;
  const [{ id: part } = { id: serviceOrderId }]: { id: string }[] = await manager.query(PART_WITHOUT_CODE, [
    printOrderId,
  ]);
  const lines: MissingUnits[] = await manager.query(MISSING, [printOrderId, part]);
  if (lines.length === 0) return false;
  for (const [ofPart, inside] of Map.groupBy(lines, ({ said }) => (said === null ? part : toRestPart(part)))) {
    const parcel = { printOrderId, serviceOrderId: ofPart, trackingCode: NO_TRACKING_CODE };
    await manager.upsert(Packages, { ...parcel, confirmedAt: app.clock.now(), pushedAt: null }, Object.keys(parcel));
    const { id: packageId } = await manager.findOneByOrFail(Packages, parcel);
    // A part that does not report its units is assumed to contain all the line's remaining units.
    const items = inside.map(({ itemReferenceId, missing, said }) => ({
      packageId,
      itemReferenceId,
      quantity: said === null ? null : missing,
    }));
    await manager.upsert(PackageItems, items, ['packageId', 'itemReferenceId']);
  }
  const message = `${reference} is fulfilled without a tracking code. A code that arrives later is added.`;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind: 'untracked', message, by });
  await resolveUntrackedHold(app, manager, printOrder);
  await enqueueWaitingPush(app, manager, storefrontOrderId, { isNothingLeft: false });
  return true;
}

/** Units that are missing from a part's own packages are recorded in a separate package, so that no code is used twice. */
const toRestPart = (part: string): string => `${part} (rest)`;

interface MissingUnits {
  itemReferenceId: string;
  missing: number;
  said: number | null;
}

/** Resolves a print order's tracking hold once all its units are in a package. */
export async function resolveUntrackedHold(
  app: App,
  manager: EntityManager,
  { id: printOrderId, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
): Promise<void> {
  const open = { printOrderId, code: NO_TRACKING, resolvedAt: IsNull() };
  if (!(await manager.existsBy(Holds, open))) return;
  const left: unknown[] = await manager.query(
    `select from print_orders p join print_order_lines l on ${IS_LINE_UNTRACKED} where p.id = $1 limit 1`,
    [printOrderId],
  );
  if (left.length > 0) return;
  await manager.update(Holds, open, { resolvedAt: app.clock.now() });
  await enqueueStoreUpdate(manager, storefrontOrderId);
}
