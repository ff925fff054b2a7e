import { toChangedMetafields } from '../orders/store-view/changed-metafields.ts';
import { readTold } from '../orders/store-view/told.ts';
import { setOrderMetafields } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { TellScope } from './tell-scope.ts';
import { keepTold } from './keep-told.ts';

/**
 * Writes the print status of an order to its changed metafields, in one call, if the shop wants it and the store permits it. When customer
 * data is erased, quoted messages are overwritten even if metafields are off. Throws ShopifyError.
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
