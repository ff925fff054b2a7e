import { toChangedMetafields } from '../orders/store-view/to-changed-metafields.ts';
import { readWrittenValues } from '../orders/store-view/written-values.ts';
import { deleteOrderMetafields, setOrderMetafields } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { UpdateScope } from './update-scope.ts';
import { saveWrittenValues } from './save-written-values.ts';

/**
 * Writes an order's changed metafields in one request, and removes those without a value. Requires the shop's setting and the store's
 * permission. Removes all of Platen's metafields if the shop turns them off, or if customer data is erased while they are off. Throws
 * ShopifyError.
 */
export async function writeMetafields(scope: UpdateScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const changed = toChangedMetafields(scope);
  if (!changed || !(await isGranted(app, shop, 'writesOrderMetafields'))) return;
  const admin = await scope.admin();
  const ownerId = storefrontOrder.shopifyOrderId;
  const values = changed.set.map(({ key, type, value }) => ({ key, type, value }));
  await setOrderMetafields(admin, ownerId, values);
  // An order that the store no longer has, or no longer shows to Platen, has no metafields to remove.
  if (changed.removed.length > 0)
    await deleteOrderMetafields(
      admin,
      changed.removed.map((key) => ({ ownerId, key })),
    );
  const { metafields: written = {} } = readWrittenValues(storefrontOrder);
  const kept = Object.entries(written).filter(([key]) => !changed.removed.some((removed) => removed === key));
  const now = changed.set.map(({ key, sign }): [string, string] => [key, sign]);
  await saveWrittenValues(scope, { metafields: Object.fromEntries([...kept, ...now]) });
}
