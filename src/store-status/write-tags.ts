import { toChangedTags } from '../orders/store-view/changed-tags.ts';
import { readWritten } from '../orders/store-view/written.ts';
import { addOrderTags, removeOrderTags } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { UpdateScope } from './update-scope.ts';
import { keepWritten } from './keep-written.ts';

/**
 * Tags an order with its print status. Only Platen's tags are added and removed, and one that someone removed stays off. Needs the shop's
 * setting and the store's permission; if the shop switches tags off, Platen's are removed. Throws ShopifyError.
 */
export async function writeTags(scope: UpdateScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const changed = toChangedTags(scope);
  if (!changed || !(await isGranted(app, shop, 'tagsOrders'))) return;
  const { wanted, added, removed } = changed;
  const { tags = [], triedTags = [] } = readWritten(storefrontOrder);
  const admin = await scope.admin();
  // Recorded before the call, so that a tag whose answer is lost is removed later, too.
  await keepWritten(scope, { triedTags: [...new Set([...triedTags, ...tags, ...added])] });
  await addOrderTags(admin, storefrontOrder.shopifyOrderId, added);
  await removeOrderTags(admin, storefrontOrder.shopifyOrderId, removed);
  await keepWritten(scope, { tags: wanted, triedTags: [] });
}
