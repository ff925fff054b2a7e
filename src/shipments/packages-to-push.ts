import type { Package, PackageItem } from '../database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../database/entities/print-orders.ts';

/** A package that a reading of the service has confirmed, with its known items. */
export type PackageToPush = Package & { items: PackageItem[]; itemReferenceIds: string[] };

/** A print order with the packages about which Platen may notify the buyer. */
export interface PrintToPush {
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  packages: PackageToPush[];
  /** Packages whose codes must be removed, because the service has replaced them. */
  replaced: PackageToPush[];
}
