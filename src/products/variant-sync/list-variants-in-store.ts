import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';

/** Counts of Platen's changes to a shop's variants in the store. */
export interface VariantsInStoreCounts {
  /** Number of variants that Platen has stocked at its location. */
  stocked: number;
  /** Number of variants that Platen has made unsellable. */
  hidden: number;
  /** Number of variants that are due for a check. */
  due: number;
  /** Number of variants with a problem. */
  problems: number;
}

/** A variant that Platen has changed in the store, or could not change. */
export interface ListedVariantInStore {
  variantId: string;
  title: string | null;
  /** ISO 8601. Null if Platen has not stocked the variant. */
  stockedAt: string | null;
  hiddenAt: string | null;
  problem: { code: string; message: string } | null;
  /** A note on the variant's stock at the print service. */
  stockNote: { code: string; message: string } | null;
}

/** A page of variants, with the counts for all variants. */
export interface VariantsInStorePage extends VariantsInStoreCounts {
  variants: ListedVariantInStore[];
  /** The next page's `after`. Null on the last page. */
  next: string | null;
}

const PAGE = 100;

/** Counts Platen's changes to a shop's variants. */
export async function countVariantsInStore(app: App, { id }: Pick<Shop, 'id'>): Promise<VariantsInStoreCounts> {
  const [row]: VariantsInStoreCounts[] = await app.db.query(
    `select count(stocked_at)::int as stocked, count(found)::int as hidden, count(due_at)::int as due,
       count(*) filter (where ${PROBLEM})::int as problems
     from variants_in_store where shop_id = $1`,
    [id],
  );
  return row ?? { stocked: 0, hidden: 0, due: 0, problems: 0 };
}

/** Lists a page of a shop's variants that Platen has changed or that have a problem or note, sorted by ID. */
export async function listVariantsInStore(
  app: App,
  shop: Pick<Shop, 'id'>,
  { onlyProblems = false, after = null }: { onlyProblems?: boolean; after?: string | null } = {},
): Promise<VariantsInStorePage> {
  const rows: (Omit<ListedVariantInStore, 'stockedAt' | 'hiddenAt'> & {
    stockedAt: Date | null;
    hiddenAt: Date | null;
  })[] = await app.db.query(
    `select shopify_variant_id as "variantId", title, stocked_at as "stockedAt", hidden_at as "hiddenAt",
         location_problem as problem, stock_note as "stockNote"
       from variants_in_store where shop_id = $1 and shopify_variant_id > $2
         and case when $3 then ${PROBLEM} else num_nonnulls(stocked_at, found, location_problem, stock_note) > 0 end
       order by 1 limit $4`,
    [shop.id, after ?? '', onlyProblems, PAGE + 1],
  );
  const variants = rows.slice(0, PAGE).map(({ stockedAt, hiddenAt, ...row }) => ({
    ...row,
    stockedAt: stockedAt?.toISOString() ?? null,
    hiddenAt: hiddenAt?.toISOString() ?? null,
  }));
  const next = rows.length > PAGE ? (variants.at(-1)?.variantId ?? null) : null;
  return { ...(await countVariantsInStore(app, shop)), variants, next };
}

/**
 * SQL condition for variants with a problem. Two notes are not problems: that a variant was made unsellable, which is intended, and that
 * its stock will be replenished, which needs no action.
 */
const PROBLEM = `(location_problem is not null or stock_note->>'code' not in ('unsellable', 'out_of_stock_replenishable'))`;

/** Lists all variants, page by page. */
export async function* listAllVariantsInStore(
  app: App,
  shop: Pick<Shop, 'id'>,
  onlyProblems: boolean,
): AsyncGenerator<ListedVariantInStore> {
  let after: string | null = null;
  do {
    const page: VariantsInStorePage = await listVariantsInStore(app, shop, { onlyProblems, after });
    yield* page.variants;
    after = page.next;
  } while (after !== null);
}
