import type { Package, PackageItem } from '../database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../database/entities/print-orders.ts';

/** A package confirmed by the service's own answer, with its known items. */
export type PackageToPush = Package & { items: PackageItem[]; itemReferenceIds: string[] };

/** A print order with the packages that the buyer may be notified of. */
export interface PrintToPush {
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  packages: PackageToPush[];
  /** Packages whose codes the service has replaced, which must be removed. */
  replaced: PackageToPush[];
}
