/** The scopes that every shop grants at install: exactly those that the documents in `documents/` need (`shopify.app.toml`). */
export const requiredScopes = [
  /** Orders of the last 60 days, with their lines and addresses. */
  'read_orders',
  /** Whether the location of a fulfillment order belongs to another service. */
  'read_locations',
  'read_products',
  /** Stocks a variant at Platen's location, so that its orders are routed there. */
  'write_inventory',
  /** Platen's own fulfillment service. */
  'write_fulfillments',
  /** Requests at Platen's location: accepted, rejected, fulfilled. */
  'write_assigned_fulfillment_orders',
  /** Fulfills fulfillment orders that are assigned to a location of the merchant. */
  'write_merchant_managed_fulfillment_orders',
  /** Submits the request to Platen's location, as the merchant would. */
  'write_third_party_fulfillment_orders',
] as const;

/** Scopes that only a setting needs; requested when that setting is switched on. */
export const optionalScopes = [
  'read_customers',
  'read_all_orders',
  'read_shipping',
  'write_shipping',
  'write_orders',
  'write_products',
] as const;

export type OptionalScope = (typeof optionalScopes)[number];
