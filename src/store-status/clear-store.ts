import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import { enqueueStoreUpdate } from '../orders/enqueue/enqueue-store-update.ts';
import { runIfPermitted } from '../shops/tokens/run-if-permitted.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import { openAdmin } from '../shops/tokens/tokens.ts';
import { clearExtras } from './clear-extras.ts';
import { clearHolds } from './clear-holds.ts';
import type { ClearScope } from './clear-scope.ts';
import { enqueueClearStore } from '../shops/enqueue-shop-jobs.ts';

/** A job ends after this many pages and enqueues another job for the remaining work, so that it ends in time when its worker is stopped. */
const MAX_PAGES = 20;

const MAX_MS = 8_000;

/**
 * Undoes Platen's recorded changes to the orders of a shop that is leaving: first holds, which would block the merchant's shipping, then
 * tags and metafields if permitted. Processes 50 orders at a time and records each result. Fulfillments, events and progress remain. If
 * the shop starts using Platen again, the job sends no further requests, and the store is updated again. Throws ShopifyError and the
 * errors of `openAdmin`.
 */
export async function clearStore(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'leaving' });
  if (!shop) return;
  const admin = await openAdmin(app, shop, { whileLeaving: 'only' });
  const scope: ClearScope = { app, shop, admin, cleared: new Set() };
  try {
    if (!(await clearSome(scope))) await enqueueClearStore(app.db, shop.id, { waitSeconds: 0 });
  } finally {
    await updateAgain(scope);
  }
}

/** Undoes changes page by page. Returns whether nothing is left to undo. */
async function clearSome(scope: ClearScope): Promise<boolean> {
  const { app, shop } = scope;
  const begun = app.clock.ticks();
  // The slow search for holds ends when no holds are left. A hold that is set later has its own job (`saveWrittenValues`).
  let mayHold = true;
  for (let page = 0; page < MAX_PAGES && app.clock.ticks() - begun < MAX_MS; page += 1) {
    mayHold &&= await clearHolds(scope);
    if (mayHold) continue;
    if (!(await isGranted(app, shop, 'tagsOrders'))) return true;
    const hasMore = await runIfPermitted(app, shop, ['tagsOrders'], () => clearExtras(scope));
    if (hasMore !== true) return true;
  }
  return false;
}

/**
 * Updates the cleared orders if the shop has started using Platen again, because their regular update may have run before they were
 * cleared.
 */
async function updateAgain({ app, shop, cleared }: ClearScope): Promise<void> {
  if (!(await app.db.manager.existsBy(Shops, { id: shop.id, state: 'installed' }))) return;
  for (const id of cleared) await enqueueStoreUpdate(app.db, id);
}
