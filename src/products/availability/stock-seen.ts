/**
 * What is kept of the stock that a look goes by, as an expression of which `$1` is the shop: a hash of all that is told of the products
 * `uids`. It is compared as a value: whoever writes takes its time long before it can be read, so a time would say nothing of what was seen.
 */
export const stockSeen = (uids: string): string => `
  (select encode(sha256(convert_to(jsonb_agg(jsonb_build_array(k.product_uid, k.stock_region_uid, k.status, k.replenishment_date, k.is_read)
      order by k.product_uid, k.stock_region_uid)::text, 'UTF8')), 'hex')
    from product_stock k where k.shop_id = $1 and k.product_uid = any(${uids}))`;

/** The regions that are told of any product of the shop `$1`. */
export const REGIONS_SEEN = `
  array(select distinct stock_region_uid from product_stock where shop_id = $1 order by 1)`;
