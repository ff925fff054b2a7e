import { toChangedMetafields } from '../orders/store-view/changed-metafields.ts';
import { readTold } from '../orders/store-view/told.ts';
import { setOrderMetafields } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { TellScope } from './tell-scope.ts';
import { keepTold } from './keep-told.ts';

/**
 * Writes where the printing of an order stands to its metafields: those that have changed, in one call. Only where the shop wants it
 * and the store permits it; words of others are overwritten with the customer's data, whatever the shop wants by then. Throws ShopifyError.
 */
export async function tellMetafields(scope: TellScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const changed = toChangedMetafields(scope);
  if (changed.length === 0 || !(await isGranted(app, shop, 'writesOrderMetafields'))) return;
  const values = changed.map(({ key, type, value }) => ({ key, type, value }));
  await setOrderMetafields(await scope.admin(), storefrontOrder.shopifyOrderId, values);
  const { metafields: told = {} } = readTold(storefrontOrder);
  const now = Object.fromEntries(changed.map(({ key, sign }) => [key, sign]));
  await keepTold(scope, { metafields: { ...told, ...now } });
}
