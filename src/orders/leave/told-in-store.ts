/** SQL, of a storefront order `o`: its fulfillment orders are, or may be, on hold by Platen. */
export const HAS_HOLDS = `(coalesce(o.told #> '{holds,ids}', '{}') <> '{}' or coalesce(o.told #> '{holds,isTried}', 'false') <> 'false')`;

/** SQL, of a storefront order `o`: it has, or may have, tags of Platen. */
export const HAS_TAGS = `(coalesce(o.told -> 'tags', '[]') <> '[]' or coalesce(o.told -> 'triedTags', '[]') <> '[]')`;

/** SQL, of a storefront order `o`: it has metafields of Platen. */
export const HAS_METAFIELDS = `(o.told ? 'metafields')`;
