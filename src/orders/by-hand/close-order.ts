import { closeInStore } from '../follow/close-in-store.ts';
import type { ActByHand } from './hand-scope.ts';

/** Closes in the store what the print service will never ship. Throws ShopifyError when the store cannot be reached. */
export const closeOrder: ActByHand = ({ app, shop, storefrontOrder, printOrders, by }) =>
  closeInStore({ app, shop, storefrontOrder, printOrders, by });
