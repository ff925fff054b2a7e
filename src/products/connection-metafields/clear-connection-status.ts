import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ConnectionMetafields } from '../../database/entities/store-products.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import {
  deleteProductDefinition,
  deleteProductMetafields,
  METAFIELDS_PER_CALL,
} from '../../shopify/calls/product-metafields.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { CONNECTION_KEY, connectionDefinitions } from './connection-definitions.ts';

/** Maximum number of metafields that one call of `clearConnectionStatus` removes, in 40 requests to the store. */
const MAX_CLEARED = 1_000;

/**
 * Removes up to 1,000 connection metafields of a shop's products and variants, regardless of the shop's settings. `isDone` is true if no
 * metafield remains. Each removal is saved after its call to the store, so an interrupted run can be repeated. The definitions are deleted
 * before the last rows, so that a failed deletion leaves a row and is retried. If the setting `writesConnectionStatus` is on, the next job
 * writes the metafields again. Needs `write_products`. Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function clearConnectionStatus(
  app: App,
  shop: Pick<Shop, 'id' | 'domain' | 'state'>,
): Promise<{ cleared: number; isDone: boolean }> {
  const rows = await app.db.manager.find(ConnectionMetafields, {
    where: { shopId: shop.id },
    order: { ownerId: 'ASC' },
    take: MAX_CLEARED + 1,
  });
  const some = rows.slice(0, MAX_CLEARED);
  const isLast = some.length === rows.length;
  if (some.length === 0) return { cleared: 0, isDone: true };
  const admin = await openAdmin(app, shop, { whileLeaving: shop.state === 'leaving' && 'only', isBulk: true });
  for (let start = 0; start < some.length; start += METAFIELDS_PER_CALL) {
    const ownerIds = some.slice(start, start + METAFIELDS_PER_CALL).map(({ ownerId }) => ownerId);
    await deleteMetafields(admin, ownerIds);
    if (isLast && start + METAFIELDS_PER_CALL >= some.length) await deleteDefinitions(admin);
    await deleteRecords(app, shop, ownerIds);
  }
  return { cleared: some.length, isDone: isLast };
}

/** A definition that no longer exists is not an error. */
async function deleteDefinitions(admin: AdminApi): Promise<void> {
  for (const definition of connectionDefinitions) await deleteProductDefinition(admin, definition);
}

/** Removes the connection metafields of up to 25 products and variants, and records the removal. Throws ShopifyError. */
export async function removeConnectionMetafields(
  app: App,
  admin: AdminApi,
  shop: Pick<Shop, 'id'>,
  ownerIds: readonly string[],
): Promise<void> {
  await deleteMetafields(admin, ownerIds);
  await deleteRecords(app, shop, ownerIds);
}

async function deleteMetafields(admin: AdminApi, ownerIds: readonly string[]): Promise<void> {
  await deleteProductMetafields(
    admin,
    ownerIds.map((ownerId) => ({ ownerId, key: CONNECTION_KEY })),
  );
}

async function deleteRecords(app: App, { id: shopId }: Pick<Shop, 'id'>, ownerIds: readonly string[]): Promise<void> {
  await app.db.query('delete from connection_metafields where shop_id = $1 and owner_id = any($2::text[])', [
    shopId,
    ownerIds,
  ]);
}
