/** SQL: Platen holds, or may hold, fulfillment orders of storefront order `o`. */
export const ORDER_HAS_HOLDS = `(coalesce(o.told #> '{holds,ids}', '{}') <> '{}'
  or coalesce(o.told #> '{holds,isTried}', 'false') <> 'false')`;

/** SQL: storefront order `o` has, or may have, Platen's tags. */
export const ORDER_HAS_TAGS = `(coalesce(o.told -> 'tags', '[]') <> '[]' or coalesce(o.told -> 'triedTags', '[]') <> '[]')`;

/** SQL: storefront order `o` has Platen's metafields. */
export const ORDER_HAS_METAFIELDS = `(o.told ? 'metafields')`;
