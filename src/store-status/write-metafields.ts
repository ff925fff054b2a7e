import { toChangedMetafields } from '../orders/store-view/changed-metafields.ts';
import { readWrittenValues } from '../orders/store-view/written-values.ts';
import { setOrderMetafields } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { UpdateScope } from './update-scope.ts';
import { saveWrittenValues } from './save-written-values.ts';

/**
 * Writes an order's changed metafields in one request, if the shop has turned metafields on and the store permits them. After customer
 * data is erased, overwrites quoted messages even if metafields are off. Throws ShopifyError.
 */
export async function writeMetafields(scope: UpdateScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const changed = toChangedMetafields(scope);
  if (changed.length === 0 || !(await isGranted(app, shop, 'writesOrderMetafields'))) return;
  const values = changed.map(({ key, type, value }) => ({ key, type, value }));
  await setOrderMetafields(await scope.admin(), storefrontOrder.shopifyOrderId, values);
  const { metafields: written = {} } = readWrittenValues(storefrontOrder);
  const now = Object.fromEntries(changed.map(({ key, sign }) => [key, sign]));
  await saveWrittenValues(scope, { metafields: { ...written, ...now } });
}
