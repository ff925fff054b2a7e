const shopDomain = /^[a-z0-9][a-z0-9-]{0,60}\.myshopify\.com$/;

/** Whether this is a shop's `myshopify.com` domain. The library's own check also accepts other hosts. */
export function isShopDomain(value: string): boolean {
  return value.length <= 80 && shopDomain.test(value);
}
