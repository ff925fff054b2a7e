/** A global id of Shopify, such as `gid://shopify/Order/1234`. */
export function toGid(type: string, number: string | number): string {
  return `gid://shopify/${type}/${number}`;
}

/** The type in a global id: `Order` for `gid://shopify/Order/1234`. Undefined if the text is not a global id. */
export function typeOfGid(gid: string): string | undefined {
  return /^gid:\/\/shopify\/(\w+)\/\d+/.exec(gid)?.[1];
}

/** The digits of a global id, as text because ids can be above 2^53. */
export function digitsOf(gid: string): string {
  const [path = ''] = gid.split('?', 1);
  const digits = path.slice(path.lastIndexOf('/') + 1);
  return /^\d+$/.test(digits) ? digits : '';
}
