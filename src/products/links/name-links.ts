import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { ShownLink } from './show-links.ts';

/** A print link with its variant's title and connection. */
export interface NamedLink extends ShownLink {
  /** The product's and the variant's title at the print service. Null for a variant that the print service does not know. */
  title: string | null;
  /** The variant's connection. Null for a link by SKU, and until the connection is known. */
  connection: string | null;
}

/** Adds the variants' titles and connections to a shop's print links, in the same order. */
export async function nameLinks(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  links: readonly ShownLink[],
): Promise<NamedLink[]> {
  const ids = links.flatMap(({ variantId }) => variantId ?? []);
  const rows: { id: string; title: string | null; connection: string }[] = await app.db.query(NAMES, [shopId, ids]);
  const known = new Map(rows.map((row) => [row.id, row]));
  return links.map((link) => {
    const { title = null, connection = null } = known.get(link.variantId ?? '') ?? {};
    return { ...link, title, connection };
  });
}

const NAMES = `
  select c.shopify_variant_id as id, c.status as connection, n.title
  from variant_connections c left join lateral (
    select concat_ws(', ', p.title, v.title) as title
    from store_product_variants v join store_products p on p.id = v.store_product_id
    where v.shop_id = $1 and v.shopify_variant_id = c.shopify_variant_id order by p.deleted_at is not null, p.id desc limit 1
  ) n on true
  where c.shop_id = $1 and c.shopify_variant_id = any($2::text[])`;
