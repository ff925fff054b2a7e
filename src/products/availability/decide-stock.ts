import { NOT_REPORTED } from '../stock/to-stock-rows.ts';

/** A product's stored stock status in one of the print service's regions. */
export interface StockFact {
  productUid: string;
  stockRegionUid: string;
  status: string;
  replenishmentDate: string | null;
  /**
   * Whether the status was read with the stock call, which covers all regions of a product. Otherwise, the status comes from an event,
   * which names only some regions.
   */
  isRead: boolean;
}

/**
 * The regions that a shop ships to. `named`: the regions that the shop's settings list. `read`: all regions, because the stock call
 * returned them for the shop's products. `reported`: the regions that stock events have named for the shop's products. There may be others.
 */
export interface ShippingRegions {
  places: readonly string[];
  are: 'named' | 'read' | 'reported';
}

/** `unknown`: the status is not certain for every region. The note tells the merchant why the variant stays sellable. */
export type StockVerdict =
  | { kind: 'deliverable' | 'unknown'; note: { code: string; message: string } | null }
  | { kind: 'undeliverable' };

/**
 * Statuses that mean that a product cannot be delivered (docs/rules/print-interface.md#stock-status). An unknown status never makes a
 * variant unsellable.
 */
const UNDELIVERABLE: ReadonlySet<string> = new Set(['out-of-stock', 'not-supported']);
const REPLENISHABLE = 'out-of-stock-replenishable';

/**
 * Decides whether a variant that consists of these products can be delivered to at least one region that the shop ships to. All of the
 * products must be deliverable to that region. The result is `undeliverable` only if the variant certainly cannot be delivered to any
 * region.
 */
export function decideStock(
  productUids: readonly string[],
  facts: readonly StockFact[],
  { places, are }: ShippingRegions,
): StockVerdict {
  const ofVariant = facts.filter(({ productUid }) => productUids.includes(productUid));
  const verdicts = places.map((place) => decideRegion(productUids, ofVariant, place));
  const areAll = are === 'named' || (are === 'read' && ofVariant.every(({ isRead }) => isRead));
  const isNowhere = verdicts.length > 0 && verdicts.every((verdict) => verdict === 'undeliverable');
  if (isNowhere && areAll) return { kind: 'undeliverable' };
  const late = ofVariant.filter((fact) => fact.status === REPLENISHABLE && places.includes(fact.stockRegionUid));
  const kind = verdicts.includes('deliverable') ? 'deliverable' : 'unknown';
  if (late.length > 0) return { kind, note: toLateNote(late) };
  const without = places.filter((_, at) => verdicts[at] === 'undeliverable');
  return { kind, note: kind === 'unknown' && without.length > 0 ? toUnknownRegionsNote(without, are) : null };
}

function decideRegion(
  productUids: readonly string[],
  facts: readonly StockFact[],
  place: string,
): 'deliverable' | 'undeliverable' | 'unknown' {
  const known = facts.filter(({ stockRegionUid, status }) => stockRegionUid === place && status !== NOT_REPORTED);
  if (known.some(({ status }) => UNDELIVERABLE.has(status))) return 'undeliverable';
  const areAllKnown = productUids.every((uid) => known.some(({ productUid }) => productUid === uid));
  return productUids.length > 0 && areAllKnown ? 'deliverable' : 'unknown';
}

function toLateNote(late: readonly StockFact[]): { code: string; message: string } {
  const places = late.map(({ stockRegionUid, replenishmentDate }) =>
    replenishmentDate === null ? stockRegionUid : `${stockRegionUid} (until ${replenishmentDate})`,
  );
  const message = `The variant is out of stock, but it stays sellable, because the print service delivers it from its hub until it is restocked: ${listOf(places)}.`;
  return { code: 'out_of_stock_replenishable', message };
}

function toUnknownRegionsNote(
  without: readonly string[],
  are: ShippingRegions['are'],
): { code: string; message: string } {
  const remedy =
    are === 'named'
      ? 'its stock in the other regions that you ship to is not known'
      : 'its stock in other regions is not known. Name the regions that you ship to in the settings';
  return {
    code: 'regions_not_known',
    message: `The variant cannot be delivered to ${listOf(without)}, but it stays sellable: ${remedy}.`,
  };
}

function listOf(places: readonly string[]): string {
  return [...new Set(places)].toSorted().join(', ');
}
