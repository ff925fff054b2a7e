/** The scopes that every shop grants at install, exactly those that the documents in `documents/` need (`shopify.app.toml`). */
export const requiredScopes = [
  /** Orders from the last 60 days, with their lines and addresses. */
  'read_orders',
  /** Shows whether a fulfillment order's location belongs to another service. */
  'read_locations',
  'read_products',
  /** Stocks variants at Platen's location, so that their orders are routed there. */
  'write_inventory',
  /** Platen's own fulfillment service. */
  'write_fulfillments',
  /** Requests at Platen's location, which Platen accepts, rejects or fulfills. */
  'write_assigned_fulfillment_orders',
  /** Fulfills fulfillment orders that are assigned to one of the merchant's locations. */
  'write_merchant_managed_fulfillment_orders',
  /** Submits requests to Platen's location, as the merchant would. */
  'write_third_party_fulfillment_orders',
] as const;

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
