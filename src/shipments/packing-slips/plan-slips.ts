import type { Package, PackageItem } from '../../database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import { NO_TRACKING_CODE } from '../../orders/facts/describe-tracking-codes.ts';
import { countUnitsInEffect } from '../../orders/facts/service-trouble.ts';
import { itemKey } from '../group-packages.ts';
import { toShippedItems, type ShippedItem } from '../to-shipped-items.ts';

/** A print order with the lines and packages that its slips show. */
export interface PrintToPack {
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  /** The confirmed packages, without those whose tracking code was replaced. */
  packages: (Package & { items: PackageItem[] })[];
}

/** Units of one line on a slip. */
interface PackedLine {
  line: PrintOrderLine;
  quantity: number;
}

/** One slip: for a package, or, without a package, for everything that the print order still sends. */
export interface PlannedSlip {
  parcel: Package | null;
  lines: PackedLine[];
  /** Whether other packages list the same items, in which case the number of units in this package is unknown. */
  isDivided: boolean;
}

/**
 * Plans the slips of one print order: one for each package, and one for the units that are in no package yet. Parts of the print order that
 * share a tracking code are in the same package.
 */
export function planSlips({ lines, packages: all }: PrintToPack): PlannedSlip[] {
  const packages = all.filter((one) => !hasReceivedCode(one, all));
  const shipped = toShippedItems(lines, packages);
  const contents = Map.groupBy(
    packages.flatMap((one) => contentOf(one, lines, shipped)),
    ({ parcel }) => parcel.trackingCode,
  );
  const isElsewhere = ({ key, parcel }: Content): boolean =>
    [...contents].some(([code, others]) => code !== parcel.trackingCode && others.some((other) => other.key === key));
  const slips = [...contents.values()].map((inside): PlannedSlip => {
    const parcel = inside[0]?.parcel ?? null;
    return { parcel, lines: sumByLine(inside), isDivided: inside.some(isElsewhere) };
  });
  const packed = [...new Map([...contents.values()].flat().map((one) => [one.key, one])).values()];
  const rest = lines.map((line) => ({ line, quantity: countUnitsInEffect(line) - countUnits(packed, line) }));
  const remaining = rest.filter(({ quantity }) => quantity > 0);
  return remaining.length > 0 ? [...slips, { parcel: null, lines: remaining, isDivided: false }] : slips;
}

/** A line's units in a package. `key` identifies the item among all parts of the print order. */
interface Content extends PackedLine {
  key: string;
  parcel: Package;
}

type PackageToPack = PrintToPack['packages'][number];

/** Returns whether a package without a tracking code has since been stored with its code, and would otherwise be listed twice. */
function hasReceivedCode(
  { trackingCode, serviceOrderId, items }: PackageToPack,
  all: readonly PackageToPack[],
): boolean {
  if (trackingCode !== NO_TRACKING_CODE) return false;
  const coded = all.filter((one) => one.trackingCode !== NO_TRACKING_CODE && one.serviceOrderId === serviceOrderId);
  const isListed = (reference: string): boolean =>
    coded.some((one) => one.items.some(({ itemReferenceId }) => itemReferenceId === reference));
  return coded.length > 0 && items.every(({ itemReferenceId }) => isListed(itemReferenceId));
}

function contentOf(
  parcel: PackageToPack,
  lines: readonly PrintOrderLine[],
  shipped: readonly ShippedItem[],
): Content[] {
  return lines.flatMap((line) => {
    const item = parcel.items.find(({ itemReferenceId }) => itemReferenceId === line.itemReferenceId);
    // An event may report a package without its items.
    if (item === undefined && parcel.items.length > 0) return [];
    const key = itemKey({ serviceOrderId: parcel.serviceOrderId, itemReferenceId: line.itemReferenceId });
    const quantity = shipped.find((one) => itemKey(one) === key)?.quantity ?? line.quantity;
    return { key, parcel, line, quantity };
  });
}

function sumByLine(contents: readonly Content[]): PackedLine[] {
  const byLine = Map.groupBy(contents, ({ line }) => line);
  return [...byLine.keys()].map((line) => ({ line, quantity: countUnits(contents, line) }));
}

function countUnits(contents: readonly Content[], line: PrintOrderLine): number {
  return contents.filter((one) => one.line === line).reduce((sum, { quantity }) => sum + quantity, 0);
}
