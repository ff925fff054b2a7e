/** What every shop grants at install: what the documents in `documents/` need, and nothing else (`shopify.app.toml`). */
export const requiredScopes = [
  /** Orders, their lines and addresses; of the last 60 days. */
  'read_orders',
  /** Whether the location of a fulfillment order is another service's. */
  'read_locations',
  'read_products',
  /** Stocks a variant at Platen's location, so that its orders are routed there. */
  'write_inventory',
  /** Platen's own fulfillment service. */
  'write_fulfillments',
  /** Requests at Platen's location: accepted, rejected, fulfilled. */
  'write_assigned_fulfillment_orders',
  /** Fulfills what the store assigned to a location of the merchant. */
  'write_merchant_managed_fulfillment_orders',
  /** Submits the request to Platen's location, as the merchant would. */
  'write_third_party_fulfillment_orders',
] as const;

/** What only a setting needs: asked for when that setting is switched on. */
export const optionalScopes = [
  'read_customers',
  'read_all_orders',
  'read_shipping',
  'write_shipping',
  'write_orders',
  'write_products',
] as const;

export type OptionalScope = (typeof optionalScopes)[number];
