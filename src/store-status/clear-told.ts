import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import { enqueueTellStore } from '../orders/enqueue/enqueue-tell-store.ts';
import { ifPermitted } from '../shops/tokens/if-permitted.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import { openAdmin } from '../shops/tokens/tokens.ts';
import { clearExtras } from './clear-extras.ts';
import { clearHolds } from './clear-holds.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { ClearScope } from './clear-scope.ts';

/** A job ends after so much work, and another goes on: one that runs when its worker stops can end in time. */
const MOST_PAGES = 20;

const LONGEST_MS = 8_000;

/**
 * Takes back what the store shows of the orders of a shop that is left, as far as Platen has noted it as its own: first its holds, which
 * would block what the merchant ships, then its tags and metafields where the store permits it; 50 orders at a time, and what is taken back
 * is noted after each call. Fulfilments, their events and reports of progress stay: they happened. Once the shop is taken up again no
 * further call is made, and what was taken back last is told anew. Throws ShopifyError, and what `openAdmin` throws.
 */
export async function clearTold(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'leaving' });
  if (!shop) return;
  const admin = await openAdmin(app, shop, { whileLeaving: 'only' });
  const scope: ClearScope = { app, shop, admin, cleared: new Set() };
  try {
    if (!(await clearSome(scope))) await enqueue(app.db, 'clear_told', { shopId: shop.id }, { waitSeconds: 0 });
  } finally {
    await tellAnew(scope);
  }
}

/** Returns whether nothing is left that can be taken back. */
async function clearSome(scope: ClearScope): Promise<boolean> {
  const { app, shop } = scope;
  const begun = performance.now();
  // A hold that is told meanwhile has a job of its own (`keepTold`): to look for holds goes through all that the store was told.
  let mayHold = true;
  for (let page = 0; page < MOST_PAGES && performance.now() - begun < LONGEST_MS; page += 1) {
    mayHold &&= await clearHolds(scope);
    if (mayHold) continue;
    if (!(await isGranted(app, shop, 'tagsOrders'))) return true;
    const hasMore = await ifPermitted(app, shop, ['tagsOrders'], () => clearExtras(scope));
    if (hasMore !== true) return true;
  }
  return false;
}

/** Who has taken the shop up again meanwhile may have looked at these orders before they were cleared. */
async function tellAnew({ app, shop, cleared }: ClearScope): Promise<void> {
  if (!(await app.db.manager.existsBy(Shops, { id: shop.id, state: 'installed' }))) return;
  for (const id of cleared) await enqueueTellStore(app.db, id);
}
