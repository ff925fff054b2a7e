/**
 * Returns an SQL expression that hashes all stored stock of the products `uids` in shop `$1`. A variant's check records this hash, so that
 * a later change in stock is detected. A timestamp cannot replace the hash, because a writer sets the timestamp long before the commit
 * makes the row visible.
 */
export const stockHashSql = (uids: string): string => `
  (select encode(sha256(convert_to(jsonb_agg(jsonb_build_array(k.product_uid, k.stock_region_uid, k.status, k.replenishment_date, k.is_read)
      order by k.product_uid, k.stock_region_uid)::text, 'UTF8')), 'hex')
    from product_stock k where k.shop_id = $1 and k.product_uid = any(${uids}))`;

/** An SQL expression for all regions in which any product of shop `$1` has a stock status. */
export const KNOWN_REGIONS_SQL = `
  array(select distinct stock_region_uid from product_stock where shop_id = $1 order by 1)`;
