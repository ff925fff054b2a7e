import { NotPossibleError } from '../../errors.ts';
import { ofShop, readInstallation } from '../../shops/install/installation.ts';
import { closeInStore } from '../follow/close-in-store.ts';
import { isUnreconciled } from '../rebuild/rebuild-order.ts';
import type { ManualAction } from './manual-action-scope.ts';

/**
 * Closes, in the store, the fulfillment of items that the print service will never ship. Throws ShopifyError if the store cannot be
 * reached. Throws NotPossibleError while the database may lack a print order that still prints the items.
 */
export const closeOrder: ManualAction = async ({ app, shop, storefrontOrder, printOrders, by }) => {
  const installation = ofShop(await readInstallation(app), shop);
  if (isUnreconciled({ shop, storefrontOrder, installation }))
    throw new NotPossibleError(
      'being_rebuilt',
      `The database was restored, and Platen has not yet compared ${storefrontOrder.name} with the print service. Try again in a few minutes.`,
    );
  return closeInStore({ app, shop, storefrontOrder, printOrders, by });
};
