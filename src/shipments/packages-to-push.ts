import type { Package, PackageItem } from '../database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../database/entities/print-orders.ts';

/** A package that the service's own answer bore out, with the items known to be in it. */
export type PackageToPush = Package & { items: PackageItem[]; itemReferenceIds: string[] };

/** A print order with the packages that the buyer may hear of. */
export interface PrintToPush {
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  packages: PackageToPush[];
  /** Those in whose place the service has given other codes: they are to be taken off. */
  replaced: PackageToPush[];
}
