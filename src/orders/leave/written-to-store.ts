/** SQL: fulfillment orders of storefront order `o` are, or may be, held by Platen. */
export const HAS_HOLDS = `(coalesce(o.told #> '{holds,ids}', '{}') <> '{}' or coalesce(o.told #> '{holds,isTried}', 'false') <> 'false')`;

/** SQL: storefront order `o` has, or may have, tags of Platen. */
export const HAS_TAGS = `(coalesce(o.told -> 'tags', '[]') <> '[]' or coalesce(o.told -> 'triedTags', '[]') <> '[]')`;

/** SQL: storefront order `o` has metafields of Platen. */
export const HAS_METAFIELDS = `(o.told ? 'metafields')`;
