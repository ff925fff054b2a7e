import type { Fulfillment, FulfillmentOrder, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import type { View } from './view.ts';

/** The views of one shop that refer to each other, such as an order to its fulfillment orders and back. */
export interface Views {
  store: Store;
  /** The current shop, which an earlier mutation may have changed. */
  readonly shop: Shop;
  /** The scopes that the granted scopes include. */
  readonly scopes: ReadonlySet<string>;
  /** Whether the granted scopes cover the kind of a fulfillment order's location. */
  shows: (fulfillmentOrder: FulfillmentOrder) => boolean;
  order(order: Order): View;
  fulfillmentOrder(order: Order, fulfillmentOrder: FulfillmentOrder): View;
  fulfillment(order: Order, fulfillment: Fulfillment): View;
}
