import { fulfillmentOrderView } from '../fulfillment/fulfillment-order-view.ts';
import { fulfillmentView } from '../fulfillment/fulfillment-view.ts';
import { allowedScopes, scopesForFulfillmentOrder } from '../access/scopes.ts';
import { orderView } from '../orders/order-view.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import type { Views } from './views.ts';

/** Creates the views of a shop's orders. */
export function createViews(store: Store, shop: Shop): Views {
  const scopes = allowedScopes(shop.grantedScopes);
  const views: Views = {
    store,
    get shop() {
      return store.shop(shop.domain) ?? shop;
    },
    scopes,
    shows: (fulfillmentOrder) =>
      scopesForFulfillmentOrder(views.shop, fulfillmentOrder, 'read').some((scope) => scopes.has(scope)),
    order: (order) => orderView(views, order),
    fulfillmentOrder: (order, fulfillmentOrder) => fulfillmentOrderView(views, order, fulfillmentOrder),
    fulfillment: (order, fulfillment) => fulfillmentView(views, order, fulfillment),
  };
  return views;
}
