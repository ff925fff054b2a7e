/** The scopes that Platen requires: exactly those that the documents in `documents/` need. `shopify.app.toml` also lists them. */
export const requiredScopes = [
  /** Lets Platen read orders from the last 60 days, with their lines and addresses. */
  'read_orders',
  /** Lets Platen see whether a fulfillment order's location belongs to another service. */
  'read_locations',
  'read_products',
  /** Lets Platen stock variants at its location, so that orders for them are routed there. */
  'write_inventory',
  /** Lets Platen create and read its fulfillment service. */
  'write_fulfillments',
  /** Lets Platen accept, reject and fulfill the requests at its location. */
  'write_assigned_fulfillment_orders',
  /** Lets Platen fulfill fulfillment orders at the merchant's locations. */
  'write_merchant_managed_fulfillment_orders',
  /** Lets Platen submit fulfillment requests to its own location, as the merchant would. */
  'write_third_party_fulfillment_orders',
] as const;

/**
 * Lets the store's pages reach Platen through the app's proxy. Shopify requires every app with a proxy to declare this scope. Only the
 * theme block needs it, so a shop that installed Platen before the scope was declared still works without it and gets no warning.
 */
const PROXY_SCOPE = 'write_app_proxy';

/** The scopes that Shopify asks for at install. */
export const installScopes = [...requiredScopes, PROXY_SCOPE] as const;

/** Scopes that only a setting needs. They are requested when that setting is switched on. */
export const optionalScopes = [
  'read_customers',
  'read_all_orders',
  'read_shipping',
  'write_shipping',
  'write_orders',
  'write_products',
] as const;

export type OptionalScope = (typeof optionalScopes)[number];
