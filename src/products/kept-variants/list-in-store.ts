import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';

/** What Platen has set of a shop's variants in the store, in numbers. */
export interface InStoreCounts {
  /** Stocked by Platen at its location. */
  stocked: number;
  /** Made unsellable by Platen. */
  hidden: number;
  /** Still to be looked at. */
  due: number;
  /** Something is not as it should be. */
  problems: number;
}

/** A variant that Platen has set something of, or could not. */
export interface ListedInStore {
  variantId: string;
  title: string | null;
  /** ISO 8601; null: not by Platen. */
  stockedAt: string | null;
  hiddenAt: string | null;
  problem: { code: string; message: string } | null;
  /** What there is to say of its stock at the print service. */
  stockNote: { code: string; message: string } | null;
}

/** A page of them. */
export interface InStorePage extends InStoreCounts {
  variants: ListedInStore[];
  /** The `after` of the next page; null: this is the last. */
  next: string | null;
}

const PAGE = 100;

/** How many of a shop's variants Platen has set something of. */
export async function countInStore(app: App, { id }: Pick<Shop, 'id'>): Promise<InStoreCounts> {
  const [row]: InStoreCounts[] = await app.db.query(
    `select count(stocked_at)::int as stocked, count(found)::int as hidden, count(due_at)::int as due,
       count(*) filter (where ${PROBLEM})::int as problems
     from variants_in_store where shop_id = $1`,
    [id],
  );
  return row ?? { stocked: 0, hidden: 0, due: 0, problems: 0 };
}

/** A page of a shop's variants of which Platen has set something, or of which there is something to say; in the order of their ids. */
export async function listInStore(
  app: App,
  shop: Pick<Shop, 'id'>,
  { onlyProblems = false, after = null }: { onlyProblems?: boolean; after?: string | null } = {},
): Promise<InStorePage> {
  const rows: (Omit<ListedInStore, 'stockedAt' | 'hiddenAt'> & { stockedAt: Date | null; hiddenAt: Date | null })[] =
    await app.db.query(
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
  return { ...(await countInStore(app, shop)), variants, next };
}

/** That a variant is unsellable is what was asked for, and of one that is replenished nothing is to be done. */
const PROBLEM = `(location_problem is not null or stock_note->>'code' not in ('unsellable', 'out_of_stock_replenishable'))`;

/** All of them, read page by page. */
export async function* allInStore(
  app: App,
  shop: Pick<Shop, 'id'>,
  onlyProblems: boolean,
): AsyncGenerator<ListedInStore> {
  let after: string | null = null;
  do {
    const page: InStorePage = await listInStore(app, shop, { onlyProblems, after });
    yield* page.variants;
    after = page.next;
  } while (after !== null);
}
