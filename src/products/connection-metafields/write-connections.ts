import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { ConnectionMetafields } from '../../database/entities/store-products.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import {
  defineProductMetafield,
  METAFIELDS_PER_CALL,
  setProductMetafields,
  type ProductMetafield,
} from '../../shopify/calls/product-metafields.ts';
import { isGranted, refreshGrantedScopes } from '../../shops/tokens/scopes.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { clearConnectionStatus, removeConnectionMetafields } from './clear-connection-status.ts';
import { CONNECTION_KEY, connectionDefinitions } from './connection-definitions.ts';
import { findDifferences, type Difference } from './find-differences.ts';
import { enqueueWriteConnections } from '../../shops/enqueue-shop-jobs.ts';

/** Maximum number of metafields that one job writes, in 40 calls. The next job writes the rest. */
const MAX_WRITTEN = 1_000;

/**
 * Writes the connection metafields of a shop's products and variants that differ from the last written values. Removes all of these
 * metafields if the shop has switched them off or is leaving. The result of each call is saved, so an interrupted job resumes after the
 * last call. Does nothing without the permission `write_products`, which `settingsWithoutScope` then shows the merchant as missing. Throws
 * ShopifyError, and the errors of `openAdmin`.
 */
export async function writeConnections(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: In(['installed', 'leaving']) });
  if (!shop || !(await isGranted(app, shop, 'writesConnectionStatus'))) return;
  try {
    const isWanted = shop.state === 'installed' && readSettings(shop).writesConnectionStatus;
    const isDone = isWanted ? await writeSome(app, shop) : (await clearConnectionStatus(app, shop)).isDone;
    if (!isDone) await enqueueWriteConnections(app.db, shop.id, { waitSeconds: 0 });
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'access_denied') throw error;
    // `runIfPermitted` has recorded the revoked permission. When the store grants it again, the shop's jobs are enqueued again.
    app.log.warn({ shopId, operation: error.operation }, 'the permission to write connection metafields was revoked');
    await refreshGrantedScopes(app, shop);
  }
}

/** Returns whether everything is written. */
async function writeSome(app: App, shop: Shop): Promise<boolean> {
  const differences = await findDifferences(app, shop.id, MAX_WRITTEN);
  if (differences.length === 0) return true;
  const admin = await openAdmin(app, shop, { isBulk: true });
  // The definitions are created only before the first write, so that Platen does not recreate one that the merchant has unpinned or
  // deleted.
  if (!(await app.db.manager.existsBy(ConnectionMetafields, { shopId: shop.id })))
    await defineMetafields(app, admin, shop);
  const [toSet, toDelete] = [differences.flatMap(toMetafield), differences.filter(({ value }) => value === null)];
  await recordAttempts(app, shop, toSet);
  for (let start = 0; start < toSet.length; start += METAFIELDS_PER_CALL)
    await writeMetafields(app, admin, shop, toSet.slice(start, start + METAFIELDS_PER_CALL));
  for (let start = 0; start < toDelete.length; start += METAFIELDS_PER_CALL) {
    const ownerIds = toDelete.slice(start, start + METAFIELDS_PER_CALL).map(({ ownerId }) => ownerId);
    await removeConnectionMetafields(app, admin, shop, ownerIds);
  }
  return differences.length < MAX_WRITTEN;
}

function toMetafield({ ownerId, value }: Difference): ProductMetafield[] {
  return value === null ? [] : [{ ownerId, key: CONNECTION_KEY, value }];
}

async function defineMetafields(app: App, admin: AdminApi, { id: shopId }: Shop): Promise<void> {
  for (const definition of connectionDefinitions) {
    const isMade = await defineProductMetafield(admin, definition);
    const { ownerType } = definition;
    if (!isMade) app.log.info({ shopId, ownerType }, 'the store did not create the connection metafield definition');
  }
}

/** Records the owners before the writes, so that a metafield whose response was lost can still be removed later. */
async function recordAttempts(app: App, { id: shopId }: Shop, metafields: readonly ProductMetafield[]): Promise<void> {
  await app.db.query(
    'insert into connection_metafields (shop_id, owner_id) select $1, unnest($2::text[]) on conflict do nothing',
    [shopId, metafields.map(({ ownerId }) => ownerId)],
  );
}

async function writeMetafields(
  app: App,
  admin: AdminApi,
  { id: shopId }: Shop,
  metafields: ProductMetafield[],
): Promise<void> {
  const refused = new Set(await setProductMetafields(admin, metafields));
  await app.db.query(WRITTEN, [
    shopId,
    JSON.stringify(metafields.map((one) => ({ ownerId: one.ownerId, value: one.value, isRefused: refused.has(one) }))),
    app.clock.now(),
  ]);
  if (refused.size > 0) {
    const ownerIds = [...refused].map(({ ownerId }) => ownerId);
    app.log.warn({ shopId, ownerIds }, 'the store refused connection metafields for these products or variants');
  }
}

/** If the store refused a metafield, the store still has the old value, so the recorded value does not change. */
const WRITTEN = `
  update connection_metafields m set value = case when t."isRefused" then m.value else t.value end,
    written_at = case when t."isRefused" then m.written_at else $3 end,
    refused_value = case when t."isRefused" then t.value end, refused_at = case when t."isRefused" then $3 end
  from jsonb_to_recordset($2::jsonb) t ("ownerId" text, value text, "isRefused" boolean)
  where m.shop_id = $1 and m.owner_id = t."ownerId"`;
