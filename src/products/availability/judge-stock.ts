import { NOT_TOLD } from '../stock/to-stock-rows.ts';

/** What the print service has of a product in a region, as it is kept. */
export interface StockFact {
  productUid: string;
  stockRegionUid: string;
  status: string;
  replenishmentDate: string | null;
  /** By the call, which tells of every region of a product; else by an event, which tells of some. */
  isRead: boolean;
}

/**
 * The regions that a shop ships to: those that it has `named`, or all. All are known where stock is `read` by the call, as those that any of
 * the shop's products has; where events alone are `told`, nobody knows which others there are.
 */
export interface ShippingRegions {
  places: readonly string[];
  are: 'named' | 'read' | 'told';
}

/** `unknown`: not certain of every region. A note is what a merchant should know of a variant that stays sellable. */
export type StockVerdict =
  | { kind: 'deliverable' | 'unknown'; note: { code: string; message: string } | null }
  | { kind: 'undeliverable' };

/** What is not delivered to a region (docs/rules/print-interface.md#stock-status); a word that is new is no reason to stop selling. */
const UNDELIVERABLE: ReadonlySet<string> = new Set(['out-of-stock', 'not-supported']);
const REPLENISHABLE = 'out-of-stock-replenishable';

/**
 * Whether a variant made of these products can be delivered to any of the regions that a shop ships to. All of its products must be there.
 * Only what is certain of every region makes it undeliverable.
 */
export function judgeStock(
  productUids: readonly string[],
  facts: readonly StockFact[],
  { places, are }: ShippingRegions,
): StockVerdict {
  const ofVariant = facts.filter(({ productUid }) => productUids.includes(productUid));
  const verdicts = places.map((place) => judgeRegion(productUids, ofVariant, place));
  const areAll = are === 'named' || (are === 'read' && ofVariant.every(({ isRead }) => isRead));
  const isNowhere = verdicts.length > 0 && verdicts.every((verdict) => verdict === 'undeliverable');
  if (isNowhere && areAll) return { kind: 'undeliverable' };
  const late = ofVariant.filter((fact) => fact.status === REPLENISHABLE && places.includes(fact.stockRegionUid));
  const kind = verdicts.includes('deliverable') ? 'deliverable' : 'unknown';
  if (late.length > 0) return { kind, note: sayLate(late) };
  const without = places.filter((_, at) => verdicts[at] === 'undeliverable');
  return { kind, note: kind === 'unknown' && without.length > 0 ? sayUnknown(without, are) : null };
}

function judgeRegion(
  productUids: readonly string[],
  facts: readonly StockFact[],
  place: string,
): 'deliverable' | 'undeliverable' | 'unknown' {
  const told = facts.filter(({ stockRegionUid, status }) => stockRegionUid === place && status !== NOT_TOLD);
  if (told.some(({ status }) => UNDELIVERABLE.has(status))) return 'undeliverable';
  const areAllTold = productUids.every((uid) => told.some(({ productUid }) => productUid === uid));
  return productUids.length > 0 && areAllTold ? 'deliverable' : 'unknown';
}

function sayLate(late: readonly StockFact[]): { code: string; message: string } {
  const places = late.map(({ stockRegionUid, replenishmentDate }) =>
    replenishmentDate === null ? stockRegionUid : `${stockRegionUid} (until ${replenishmentDate})`,
  );
  const message = `Out of stock but replenished, so it stays sellable; delivered from the hub meanwhile: ${listOf(places)}.`;
  return { code: 'out_of_stock_replenishable', message };
}

function sayUnknown(without: readonly string[], are: ShippingRegions['are']): { code: string; message: string } {
  const remedy =
    are === 'named'
      ? 'the print service has not said so of the other regions that you ship to'
      : 'the print service has not said so of every region. Name the regions that you ship to with the setting stockRegions';
  return {
    code: 'regions_not_known',
    message: `It cannot be delivered to ${listOf(without)}, and stays sellable: ${remedy}.`,
  };
}

function listOf(places: readonly string[]): string {
  return [...new Set(places)].toSorted().join(', ');
}
