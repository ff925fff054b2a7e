/** A global id of Shopify's: `gid://shopify/Order/1234`. */
export function toGid(type: string, number: string | number): string {
  return `gid://shopify/${type}/${number}`;
}

/** The type in a global id, `Order` of `gid://shopify/Order/1234`; undefined for text that is none. */
export function typeOfGid(gid: string): string | undefined {
  return /^gid:\/\/shopify\/(\w+)\/\d+/.exec(gid)?.[1];
}

/** The digits of a global id; ids may lie above 2^53, so this stays text. */
export function digitsOf(gid: string): string {
  const [path = ''] = gid.split('?', 1);
  const digits = path.slice(path.lastIndexOf('/') + 1);
  return /^\d+$/.test(digits) ? digits : '';
}
