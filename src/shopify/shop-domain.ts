const shopDomain = /^[a-z0-9][a-z0-9-]{0,60}\.myshopify\.com$/;

/** Whether this is a shop's own domain in Shopify's form. The library also accepts hosts that are not shops. */
export function isShopDomain(value: string): boolean {
  return value.length <= 80 && shopDomain.test(value);
}
