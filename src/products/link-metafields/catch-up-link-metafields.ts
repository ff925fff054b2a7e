import { LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import { LinkMetafieldReadings } from '../../database/entities/products.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { readLinksPage } from '../../shopify/calls/variant-links.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { applyLinkReading } from './apply-link-reading.ts';
import { enqueueCatchUpLinkMetafields } from '../../shops/enqueue-shop-jobs.ts';

/** Maximum number of pages, of 100 variants each, that one job reads. The next job reads the rest. */
const MAX_PAGES = 20;
const DAY_MS = 86_400_000;

/**
 * Reads the print links in the metafields of all of a shop's variants, to find changes that no webhook reported. Each job reads 2,000
 * variants and enqueues the next job. The position is saved after each page. Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function catchUpLinkMetafields(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const result = { found: 0, fixed: 0 };
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return result;
  const { printLinkMetafields: namespace } = readSettings(shop);
  if (namespace === null) {
    await app.db.manager.delete(LinkMetafieldReadings, { shopId });
    return result;
  }
  const changed = await readSome(app, shop, namespace);
  return { found: changed, fixed: changed };
}

async function readSome(app: App, shop: Shop, namespace: string): Promise<number> {
  const admin = await openAdmin(app, shop, { isBulk: true });
  let after = shop.linkMetafieldsReadTo;
  let changed = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const since = app.clock.now();
    const { links, next } = await readLinksPage(admin, { namespace, after }).catch(async (error: unknown) => {
      // The error may mean that the store no longer accepts the cursor, so the next job starts at the beginning.
      if (error instanceof ShopifyError && error.kind === 'graphql') await saveReadTo(app, shop, namespace, null);
      throw error;
    });
    changed += (await applyLinkReading(app, shop, { links, namespace, since })).changed;
    await saveReadTo(app, shop, namespace, next);
    if (next === null) {
      await deleteOldReadings(app, shop);
      return changed;
    }
    after = next;
  }
  await enqueueCatchUpLinkMetafields(app.db, shop.id);
  return changed;
}

/**
 * Deletes metafield readings older than a day. Each round reads all variants in the store, so an old reading belongs to a variant that no
 * longer exists.
 */
async function deleteOldReadings(app: App, { id: shopId }: Shop): Promise<void> {
  const readAt = LessThan(new Date(app.clock.now().getTime() - DAY_MS));
  await app.db.manager.delete(LinkMetafieldReadings, { shopId, readAt });
}

/** Saves the position in the round, unless the merchant has since chosen another namespace, which must be read from the beginning. */
async function saveReadTo(app: App, { id }: Shop, namespace: string, readTo: string | null): Promise<void> {
  await app.db.query(
    `update shops set link_metafields_read_to = $2 where id = $1 and settings ->> 'printLinkMetafields' = $3`,
    [id, readTo, namespace],
  );
}
