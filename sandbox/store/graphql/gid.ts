/** Returns a global ID of Shopify, such as `gid://shopify/Order/1234`. */
export function toGid(type: string, number: string | number): string {
  return `gid://shopify/${type}/${number}`;
}

/** Returns the type in a global ID: `Order` for `gid://shopify/Order/1234`. Returns undefined if the text is not a global ID. */
export function typeOfGid(gid: string): string | undefined {
  return /^gid:\/\/shopify\/(\w+)\/\d+/.exec(gid)?.[1];
}

/** Returns the digits of a global ID, as text because IDs can be above 2^53. */
export function toNumericId(gid: string): string {
  const [path = ''] = gid.split('?', 1);
  const digits = path.slice(path.lastIndexOf('/') + 1);
  return /^\d+$/.test(digits) ? digits : '';
}
