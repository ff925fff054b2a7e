import type { PrintOrderLine } from '../database/entities/print-orders.ts';
import { itemKey, type ItemNode } from './group-packages.ts';

/** An item with a known package, in one part of a print order. */
export interface ShippedItem extends ItemNode {
  printOrderId: string;
  shopifyLineItemId: string;
  /** Units that this part ships. */
  quantity: number;
}

/** A package with its known items. A null quantity means that the service did not report the units. */
interface PackageContents {
  serviceOrderId: string;
  items: readonly { itemReferenceId: string; quantity: number | null }[];
}

/**
 * Lists the items known to be in one print order's packages, with their units. A part that does not report its units gets the line's units
 * that other parts do not report. If there are several such parts, they share these units, and each gets at least one. Unknown item
 * references are omitted.
 */
export function toShippedItems(
  lines: readonly Pick<PrintOrderLine, 'printOrderId' | 'itemReferenceId' | 'shopifyLineItemId' | 'quantity'>[],
  packages: readonly PackageContents[],
): ShippedItem[] {
  return lines.flatMap((line) => {
    const reported = unitsByPart(line.itemReferenceId, packages);
    const unreported = [...reported].filter(([, units]) => units === null).map(([serviceOrderId]) => serviceOrderId);
    const known = [...reported.values()].reduce<number>((sum, units) => sum + (units ?? 0), 0);
    const shares = shareUnits(line.quantity - known, unreported.toSorted());
    const { printOrderId, itemReferenceId, shopifyLineItemId } = line;
    return [...reported].map(([serviceOrderId, units]) => ({
      printOrderId,
      serviceOrderId,
      itemReferenceId,
      shopifyLineItemId,
      quantity: units ?? shares.get(serviceOrderId) ?? 1,
    }));
  });
}

/** Lists the packages that contain an item. */
export function packagesOf<Parcel extends PackageContents>(item: ItemNode, packages: readonly Parcel[]): Parcel[] {
  return packages.filter(({ serviceOrderId, items }) =>
    items.some(({ itemReferenceId }) => itemKey({ serviceOrderId, itemReferenceId }) === itemKey(item)),
  );
}

function unitsByPart(itemReferenceId: string, packages: readonly PackageContents[]): Map<string, number | null> {
  const units = new Map<string, number | null>();
  for (const { serviceOrderId, items } of packages) {
    for (const { quantity } of items.filter((item) => item.itemReferenceId === itemReferenceId)) {
      const before = units.get(serviceOrderId) ?? null;
      units.set(serviceOrderId, quantity === null ? before : Math.max(quantity, before ?? 0));
    }
  }
  return units;
}

/** Divides units evenly among parts. The first parts get the remainder. */
function shareUnits(units: number, parts: readonly string[]): Map<string, number> {
  const each = Math.floor(Math.max(0, units) / Math.max(1, parts.length));
  const over = Math.max(0, units) - each * parts.length;
  return new Map(parts.map((part, index) => [part, Math.max(1, each + Number(index < over))]));
}
