import { toChangedTags } from '../orders/store-view/changed-tags.ts';
import { readTold } from '../orders/store-view/told.ts';
import { addOrderTags, removeOrderTags } from '../shopify/calls/order-extras.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import type { TellScope } from './tell-scope.ts';
import { keepTold } from './keep-told.ts';

/**
 * Tags an order with where its printing stands: our tags are added and taken off, and no other is ever touched; one that a person
 * has taken off stays off. Only where the shop wants it and the store permits it; where the shop no longer does, ours are taken off.
 * Throws ShopifyError.
 */
export async function tellTags(scope: TellScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const changed = toChangedTags(scope);
  if (!changed || !(await isGranted(app, shop, 'tagsOrders'))) return;
  const { wanted, added, removed } = changed;
  const { tags = [], triedTags = [] } = readTold(storefrontOrder);
  const admin = await scope.admin();
  // Noted before the call: a tag whose answer is lost is taken off too when its time is over.
  await keepTold(scope, { triedTags: [...new Set([...triedTags, ...tags, ...added])] });
  await addOrderTags(admin, storefrontOrder.shopifyOrderId, added);
  await removeOrderTags(admin, storefrontOrder.shopifyOrderId, removed);
  await keepTold(scope, { tags: wanted, triedTags: [] });
}
