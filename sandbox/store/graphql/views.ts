import type { Fulfillment, FulfillmentOrder, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import type { View } from './view.ts';

/** The views that lead to each other (an order has fulfillment orders, a fulfillment order has its order), for one shop. */
export interface Views {
  store: Store;
  /** As it stands now: a mutation before this one may have changed it. */
  readonly shop: Shop;
  /** What the granted scopes allow. */
  readonly scopes: ReadonlySet<string>;
  /** Whether the granted scopes cover the kind of location that a fulfillment order is at. */
  shows: (fulfillmentOrder: FulfillmentOrder) => boolean;
  order(order: Order): View;
  fulfillmentOrder(order: Order, fulfillmentOrder: FulfillmentOrder): View;
  fulfillment(order: Order, fulfillment: Fulfillment): View;
}
