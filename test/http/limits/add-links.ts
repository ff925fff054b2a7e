import type { DataSource } from 'typeorm';
import type { Shop } from '../../../src/database/entities/shops.ts';

/** Adds long print links to a shop, of which an export has one line each. */
export async function addLinks(db: DataSource, { id }: Shop, count: number): Promise<void> {
  await db.query(
    `insert into print_links (shop_id, sku, product_uid, file_url, source)
     select $1, 'SKU-' || n, 'mug', 'https://files.example/' || repeat('x', 1900) || n, 'merchant' from generate_series(1, $2) n`,
    [id, count],
  );
}
