import { closeInStore } from '../follow/close-in-store.ts';
import type { ManualAction } from './manual-action-scope.ts';

/**
 * Closes, in the store, the fulfillment of items that the print service will never ship. Throws ShopifyError if the store cannot be
 * reached.
 */
export const closeOrder: ManualAction = ({ app, shop, storefrontOrder, printOrders, by }) =>
  closeInStore({ app, shop, storefrontOrder, printOrders, by });
