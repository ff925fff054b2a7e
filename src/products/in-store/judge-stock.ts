/** What the print service has of a product in a region, as it is kept. */
export interface StockFact {
  productUid: string;
  stockRegionUid: string;
  status: string;
  replenishmentDate: string | null;
}

/** `unknown`: not told of every region. A note is what a merchant should know of a variant that stays sellable. */
export type StockVerdict =
  | { kind: 'deliverable' | 'unknown'; note: { code: string; message: string } | null }
  | { kind: 'undeliverable' };

/** What is not delivered to a region (interface page, Stock availability status); a word that is new is no reason to stop selling. */
const UNDELIVERABLE: ReadonlySet<string> = new Set(['out-of-stock', 'not-supported']);
const REPLENISHABLE = 'out-of-stock-replenishable';

/**
 * Whether a variant made of these products can be delivered to any of the regions that a shop ships to (null: to all that the service tells
 * of). All of its products must be there. Only what is certain of every region makes it undeliverable.
 */
export function judgeStock(
  productUids: readonly string[],
  facts: readonly StockFact[],
  regions: readonly string[] | null,
): StockVerdict {
  const ofVariant = facts.filter(({ productUid }) => productUids.includes(productUid));
  const places = regions ?? [...new Set(ofVariant.map(({ stockRegionUid }) => stockRegionUid))];
  const verdicts = places.map((place) => judgeRegion(productUids, ofVariant, place));
  if (verdicts.length > 0 && verdicts.every((verdict) => verdict === 'undeliverable')) return { kind: 'undeliverable' };
  const late = ofVariant.filter((fact) => fact.status === REPLENISHABLE && places.includes(fact.stockRegionUid));
  const kind = verdicts.includes('deliverable') ? 'deliverable' : 'unknown';
  return { kind, note: late.length > 0 ? sayLate(late) : null };
}

function judgeRegion(
  productUids: readonly string[],
  facts: readonly StockFact[],
  place: string,
): 'deliverable' | 'undeliverable' | 'unknown' {
  const statuses = productUids.map(
    (uid) => facts.find((fact) => fact.productUid === uid && fact.stockRegionUid === place)?.status,
  );
  if (statuses.some((status) => status !== undefined && UNDELIVERABLE.has(status))) return 'undeliverable';
  return statuses.length === 0 || statuses.includes(undefined) ? 'unknown' : 'deliverable';
}

function sayLate(late: readonly StockFact[]): { code: string; message: string } {
  const places = late.map(({ stockRegionUid, replenishmentDate }) =>
    replenishmentDate === null ? stockRegionUid : `${stockRegionUid} (until ${replenishmentDate})`,
  );
  const message = `Out of stock but replenished, so it stays sellable; delivered from the hub meanwhile: ${[...new Set(places)].toSorted().join(', ')}.`;
  return { code: 'out_of_stock_replenishable', message };
}
