import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { PlatenError } from '../errors.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { readFence, writeFence, type Fence, type StoreFence } from '../shopify/calls/fence.ts';
import { beginQuietTimeAfterLoss } from './install/installation.ts';

/** How often the fence is written while other databases write it too. */
const TRIES = 3;

/** How long a process relies on the epoch that it wrote. */
const RENEW_MS = 3_600_000;

/** When each process last wrote the epoch of each shop, in the clock's ticks. */
const renewals = new WeakMap<App, Map<number, number>>();

/** The shop's row, and the key of this database. */
interface KnownFence extends Pick<Shop, 'fenceKey' | 'fenceEpoch'> {
  own: string;
  isAlone: boolean;
}

/**
 * Checks that this database may act for the store, with the fence that was read in the same request as an order. Two databases of an
 * installation can run at once, such as a copy for tests beside the original. Only the store is visible to both, so its fence names the
 * database that may act. A new or restored database writes its own key with a higher epoch. A database that finds another key stops. A
 * database that finds its own key with a higher epoch than it knows was restored (docs/rules/created-once.md#one-database). Throws
 * PlatenError `fenced_off`, and ShopifyError.
 */
export async function keepFence(app: App, shop: Shop, admin: AdminApi, read: StoreFence): Promise<void> {
  if (isKnown(read, shop)) return renew(app, shop, admin, read);
  const known = await readKnownFence(app, shop);
  if (isKnown(read, known)) return renew(app, shop, admin, read);
  // Another order of this database may have taken over the store since it was read.
  const now = known.fenceKey === null ? read : await readFence(admin);
  if (isKnown(now, known)) return;
  if (known.fenceKey !== null && now.fence?.key === known.fenceKey) {
    await beginQuietTimeAfterLoss(app, known.fenceKey);
    return takeOver(app, shop, admin, now, await readKnownFence(app, shop));
  }
  // A reinstall and the deletion of the metafield leave no fence.
  if (known.fenceKey !== null && now.fence !== null) throw await recordFencedOff(app, shop, known.fenceKey);
  await takeOver(app, shop, admin, now, known);
}

/** Returns whether the fence is one that this database has written. */
function isKnown({ fence }: StoreFence, { fenceKey, fenceEpoch }: Pick<Shop, 'fenceKey' | 'fenceEpoch'>): boolean {
  return fence !== null && fence.key === fenceKey && fence.epoch <= fenceEpoch;
}

function renewalsOf(app: App): Map<number, number> {
  const known = renewals.get(app) ?? new Map<number, number>();
  renewals.set(app, known);
  return known;
}

/**
 * Writes a higher epoch, once per process and hour. A copy of the database's files has the same key, and does not know this epoch. The
 * database stores the epoch before the store does, so that only a database that forgot it finds a higher one.
 */
async function renew(app: App, shop: Shop, admin: AdminApi, read: StoreFence): Promise<void> {
  const renewed = renewalsOf(app);
  const last = renewed.get(shop.id);
  if (last !== undefined && app.clock.ticks() - last < RENEW_MS) return;
  renewed.set(shop.id, app.clock.ticks());
  const [[row]]: [{ key: string; epoch: number }[], number] = await app.db.query(
    `update shops set fence_epoch = fence_epoch + 1 where id = $1 and fence_key = $2 and fenced_off_at is null
     returning fence_key as key, fence_epoch as epoch`,
    [shop.id, read.fence?.key],
  );
  try {
    if (row) await writeFence(admin, read, row);
  } catch (error) {
    renewed.delete(shop.id);
    throw error;
  }
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
    `update shops set fence_key = $2, fence_epoch = greatest(fence_epoch, $3)
     where id = $1 and (fence_key is null or fence_key = $2) and fenced_off_at is null and exists (select from installation where fence_key = $2)`,
    [shop.id, key, epoch],
  );
  renewalsOf(app).set(shop.id, app.clock.ticks());
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
