import { toChangedTags } from '../orders/store-view/to-changed-tags.ts';
import { readWrittenValues } from '../orders/store-view/written-values.ts';
import { addOrderTags, removeOrderTags } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { UpdateScope } from './update-scope.ts';
import { saveWrittenValues } from './save-written-values.ts';

/**
 * Tags an order with its print status. Adds and removes only Platen's tags, and does not restore a tag that someone removed. Requires the
 * shop's setting and the store's permission. Removes Platen's tags if the shop turns tags off. Throws ShopifyError.
 */
export async function writeTags(scope: UpdateScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const changed = toChangedTags(scope);
  if (!changed || !(await isGranted(app, shop, 'tagsOrders'))) return;
  const { wanted, added, removed } = changed;
  const { tags = [], triedTags = [] } = readWrittenValues(storefrontOrder);
  const admin = await scope.admin();
  // The tags are recorded before the request, so that a tag is removed later even if the response to this request is lost.
  await saveWrittenValues(scope, { triedTags: [...new Set([...triedTags, ...tags, ...added])] });
  await addOrderTags(admin, storefrontOrder.shopifyOrderId, added);
  await removeOrderTags(admin, storefrontOrder.shopifyOrderId, removed);
  await saveWrittenValues(scope, { tags: wanted, triedTags: [] });
}
