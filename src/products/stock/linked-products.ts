import type { App } from '../../app.ts';

/** Maximum number of products in one call (`POST /v3/stock/region-availability`). */
const PAGE = 250;

/**
 * Yields the product UIDs that a shop's print links name, including envelopes, in batches of at most 250. Lists only UIDs after
 * `start`, each once, in sorted order.
 */
export async function* listLinkedProducts(app: App, shopId: number, start = ''): AsyncGenerator<string[]> {
  for (let after = start; ;) {
    const rows: { uid: string }[] = await app.db.query(LINKED, [shopId, after, PAGE]);
    const uids = rows.map(({ uid }) => uid);
    if (uids.length > 0) yield uids;
    const last = uids.at(-1);
    if (last === undefined || uids.length < PAGE) return;
    after = last;
  }
}

/** Returns the given product UIDs that a shop's print links name, including as envelopes. */
export async function filterLinkedProducts(app: App, shopId: number, uids: readonly string[]): Promise<string[]> {
  const rows: { uid: string }[] = await app.db.query(
    `select uid from unnest($2::text[]) as uid
     where exists (select from print_links l where l.shop_id = $1 and l.product_uid = uid)
       or exists (select from print_links l where l.shop_id = $1 and l.envelope_product_uid = uid)`,
    [shopId, uids],
  );
  return rows.map(({ uid }) => uid);
}

/** Deletes the stock of products that no print link in the shop names. */
export async function deleteUnlinkedStock(app: App, shopId: number): Promise<void> {
  await app.db.query(
    `delete from product_stock s where s.shop_id = $1
       and not exists (select from print_links l where l.shop_id = $1 and l.product_uid = s.product_uid)
       and not exists (select from print_links l where l.shop_id = $1 and l.envelope_product_uid = s.product_uid)`,
    [shopId],
  );
}

const LINKED = `
  select distinct uid from print_links l, unnest(array[l.product_uid, l.envelope_product_uid]) as uid
  where l.shop_id = $1 and uid > $2 order by 1 limit $3`;
