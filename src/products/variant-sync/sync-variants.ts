import { isDeepStrictEqual } from 'node:util';
import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { VARIANTS_PER_CALL } from '../../shopify/calls/stocking.ts';
import { fillSettings } from '../../shops/settings/settings-schema.ts';
import { runIfPermitted } from '../../shops/tokens/run-if-permitted.ts';
import { isGranted } from '../../shops/tokens/scopes.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { findRates } from '../location/find-rates.ts';
import { syncLocations } from '../location/sync-locations.ts';
import type { DueVariant, VariantSyncContext } from './variant-sync-context.ts';
import { syncSellability } from '../availability/sync-sellability.ts';
import { readVariants } from './read-variants.ts';
import { markChangedVariants, markPermittedVariants, type VariantPolicy } from './mark-due.ts';
import { deleteMissingVariants, saveReadings, endDueChecks } from './save-readings.ts';
import { enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';

/**
 * After this many pages, or after `MAX_MS`, the job ends and enqueues another job for the rest. A worker that must stop can therefore
 * wait for its job.
 */
const MAX_PAGES = 10;
const MAX_MS = 8_000;

/**
 * Updates a shop's due variants in the store, 100 at a time: whether they are stocked at Platen's location and whether they are sellable.
 * Each change is recorded before the call to the store, and its result after the call. The next job therefore repeats no call that got a
 * response, and Platen undoes only its own changes. If the store refuses a change, the reason is saved with the variant, and the other
 * variants are still updated. Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function syncVariants(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: In(['installed', 'leaving']) });
  if (!shop) return;
  const leaves = shop.state === 'leaving';
  // If Platen's location was deleted, variants that Platen made unsellable are restored immediately. All other changes wait for the next
  // sign-in, which creates the location again.
  const isLost = shop.locationId === null && !leaves;
  const aims = leaves || isLost ? { stocks: false, hides: false } : toAims(shop);
  if (aims.stocks || aims.hides) await markChangedVariants(app.db, shop, aims, app.clock.now());
  const granted = await readGranted(app, shop);
  await markPermittedVariants(app.db, shop, granted, app.clock.now());
  const begun = app.clock.ticks();
  let scope: VariantSyncContext | null = null;
  for (let page = 0; page < MAX_PAGES && app.clock.ticks() - begun < MAX_MS; page += 1) {
    const rows: DueVariant[] = await app.db.query(DUE, [shopId, VARIANTS_PER_CALL, isLost]);
    if (rows.length === 0) return;
    // The shop is compared after the rows are read, because a later change to the shop marks the rows again, so they stay due.
    if (!(await isUnchangedShop(app, shop))) break;
    const current = (scope ??= await openScope(app, shop, { aims, leaves, isLost, granted }));
    const kept = await runIfPermitted(app, shop, settingsOf(granted), () => syncPage(current, rows));
    // The revocation is recorded, and the next job respects it.
    if (kept === 'refused') break;
  }
  await enqueueSyncVariants(app.db, shop.id, { waitSeconds: 0 });
}

/** Returns whether the shop is still in the state that the job read. If not, the next job reads the shop again. */
async function isUnchangedShop(app: App, { id, state, locationId, settings }: Shop): Promise<boolean> {
  const now = await app.db.manager.findOneBy(Shops, { id });
  return now !== null && isDeepStrictEqual([now.state, now.locationId, now.settings], [state, locationId, settings]);
}

/** Reads the aims for variants from a shop's settings. */
function toAims(shop: Pick<Shop, 'settings'>): VariantPolicy {
  const { stockAtLocation, hideOutOfStock } = fillSettings(shop.settings);
  return { stocks: stockAtLocation, hides: hideOutOfStock };
}

async function readGranted(app: App, shop: Shop): Promise<VariantPolicy> {
  return { stocks: await isGranted(app, shop, 'stockAtLocation'), hides: await isGranted(app, shop, 'hideOutOfStock') };
}

function settingsOf({ stocks, hides }: VariantPolicy) {
  return [...(stocks ? (['stockAtLocation'] as const) : []), ...(hides ? (['hideOutOfStock'] as const) : [])];
}

async function openScope(
  app: App,
  shop: Shop,
  given: Pick<VariantSyncContext, 'aims' | 'leaves' | 'isLost' | 'granted'>,
) {
  const admin = await openAdmin(app, shop, { whileLeaving: given.leaves, isBulk: true });
  let asked: Promise<ReadonlySet<string>> | null = null;
  const readWithoutRates = async () => new Set((await findRates(app, admin, shop)).without.map(({ id }) => id));
  return { app, shop, admin, ...given, withoutRates: () => (asked ??= readWithoutRates()) };
}

async function syncPage(scope: VariantSyncContext, rows: readonly DueVariant[]): Promise<void> {
  const { app, admin, shop } = scope;
  const at = app.clock.now();
  const { readings, gone } = await readVariants(app, admin, shop, rows);
  await deleteMissingVariants(app.db, shop, gone);
  await saveReadings(app.db, shop, readings);
  // Restores variants before they are removed from the location, because their quantity can be set only while they are stocked there.
  await syncSellability(scope, readings);
  if (scope.isLost) return endDueChecks(app.db, shop, readings);
  await syncLocations(scope, readings, at);
}

const DUE = `
  select r.shop_id as "shopId", r.shopify_variant_id as "shopifyVariantId", r.stocked_at as "stockedAt", r.location_id as "locationId",
    r.stocked_seen as "stockedSeen", r.location_asked as "locationAsked", r.location_problem as "locationProblem", r.found,
    r.hidden_at as "hiddenAt", r.stock_note as "stockNote", r.product_uids as "productUids", r.due_at as "dueAt",
    c.updated_at::text as "connectionUpdatedAt", coalesce(c.status = 'connected' and c.deleted_in_store_at is null, false) as "isConnected"
  from variants_in_store r
    left join variant_connections c on c.shop_id = r.shop_id and c.shopify_variant_id = r.shopify_variant_id
  where r.shop_id = $1 and r.due_at is not null and (not $3 or r.found is not null) order by 2 limit $2`;
