/** An order's ID in the store, as a GID or only as digits. */
export const ORDER_ID = /^(?:gid:\/\/shopify\/Order\/)?([1-9]\d{0,19})$/;

/** Returns the GID of an order from its GID or digits, or null for any other text. */
export function toOrderGid(text: string): string | null {
  const digits = ORDER_ID.exec(text)?.[1];
  return digits === undefined ? null : `gid://shopify/Order/${digits}`;
}
