/** The topics of the app's `shopify.app.toml` that the stand-in sends. */
export const subscribedTopics = [
  'app/uninstalled',
  'orders/create',
  'orders/updated',
  'orders/paid',
  'orders/cancelled',
  'orders/edited',
  'fulfillment_orders/order_routing_complete',
  'fulfillment_orders/fulfillment_request_submitted',
  'fulfillment_orders/cancellation_request_submitted',
  'fulfillment_orders/cancelled',
  'fulfillment_orders/moved',
  'fulfillment_orders/split',
  'fulfillment_orders/placed_on_hold',
  'fulfillment_orders/hold_released',
  'fulfillments/create',
  'fulfillments/update',
  'products/update',
] as const;

export type Topic = (typeof subscribedTopics)[number];
