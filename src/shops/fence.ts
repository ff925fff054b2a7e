import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { PlatenError } from '../errors.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { readFence, writeFence, type Fence, type StoreFence } from '../shopify/calls/fence.ts';

/** How often the fence is written while other databases write it too. */
const TRIES = 3;

/** The shop's row, and the key of this database. */
interface KnownFence {
  fenceKey: string | null;
  fenceEpoch: number;
  own: string;
  isAlone: boolean;
}

/**
 * Checks that this database may act for the store, with the fence that was read in the same request as an order. Two databases of an
 * installation can run at once, such as a copy for tests beside the original. Only the store is visible to both, so its fence names the
 * database that may act. A new or restored database writes its own key with a higher epoch. A database that finds another key stops
 * (docs/rules/created-once.md#one-database). Throws PlatenError `fenced_off`, and ShopifyError.
 */
export async function keepFence(app: App, shop: Shop, admin: AdminApi, read: StoreFence): Promise<void> {
  if (shop.fenceKey !== null && read.fence?.key === shop.fenceKey) return;
  const known = await readKnownFence(app, shop);
  if (known.fenceKey !== null && read.fence?.key === known.fenceKey) return;
  // Another order of this database may have taken over the store since it was read.
  const now = known.fenceKey === null ? read : await readFence(admin);
  if (known.fenceKey !== null && now.fence?.key === known.fenceKey) return;
  // A reinstall and the deletion of the metafield leave no fence.
  if (known.fenceKey !== null && now.fence !== null) throw await recordFencedOff(app, shop, known.fenceKey);
  await takeOver(app, shop, admin, now, known);
}

/** Returns the error of a request for a shop whose store another database has taken over. */
export function fencedOffError({ domain }: Pick<Shop, 'domain'>): PlatenError {
  return new PlatenError(
    'fenced_off',
    `Another database of Platen has taken over ${domain}, so this one sends nothing. Platen's operator must stop one of the two.`,
  );
}

async function readKnownFence(app: App, { id }: Shop): Promise<KnownFence> {
  await app.db.query('update installation set fence_key = $1 where id = 1 and fence_key is null', [randomUUID()]);
  const [known]: KnownFence[] = await app.db.query(
    `select s.fence_key as "fenceKey", s.fence_epoch as "fenceEpoch", i.fence_key as own, i.is_alone as "isAlone" from shops s, installation i where s.id = $1`,
    [id],
  );
  if (!known) throw new Error('the shop no longer exists');
  return known;
}

/**
 * Writes this database's fence. A lost answer is harmless, because the next reading finds the own key. If the store had the key of another
 * database, that database may have read it just before. Nothing is sent until its requests can no longer take effect.
 */
async function takeOver(app: App, shop: Shop, admin: AdminApi, first: StoreFence, known: KnownFence): Promise<void> {
  const { own: key } = known;
  let read = first;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { fence: found } = read;
    if (found?.key === key) return recordFence(app, shop, found);
    const fence = { key, epoch: Math.max(found?.epoch ?? 0, known.fenceEpoch) + 1 };
    // The process may die right after the request, so the quiet time begins before it, too.
    if (found && !known.isAlone) await beginQuietTimeOf(app, shop);
    if (await writeFence(admin, read, fence)) {
      if (found && !known.isAlone) await beginQuietTimeOf(app, shop);
      return recordFence(app, shop, fence);
    }
    read = await readFence(admin);
  }
  throw new ShopifyError('unavailable', { operation: 'WriteFence', effect: 'none' });
}

async function beginQuietTimeOf({ db, clock, config }: App, { id }: Shop): Promise<void> {
  const quietUntil = new Date(clock.now().getTime() + config.print.submitQuietSeconds * 1000);
  await db.query('update shops set quiet_until = greatest(quiet_until, $2) where id = $1', [id, quietUntil]);
}

async function recordFence(app: App, shop: Shop, { key, epoch }: Fence): Promise<void> {
  await app.db.query(
    `update shops set fence_key = $2, fence_epoch = $3
     where id = $1 and (fence_key is null or fence_key = $2) and fenced_off_at is null and exists (select from installation where fence_key = $2)`,
    [shop.id, key, epoch],
  );
  app.log.info({ shopId: shop.id, epoch }, 'this database acts for the store from now on');
}

async function recordFencedOff(app: App, shop: Shop, fenceKey: string): Promise<PlatenError> {
  const [, isNew]: [unknown, number] = await app.db.query(
    'update shops set fenced_off_at = $2 where id = $1 and fenced_off_at is null and fence_key = $3',
    [shop.id, app.clock.now(), fenceKey],
  );
  if (isNew > 0)
    app.log.error(
      { shopId: shop.id },
      'another database has taken over the store, so nothing is sent (docs/operators/runbooks.md#platenfencedoff)',
    );
  return fencedOffError(shop);
}
