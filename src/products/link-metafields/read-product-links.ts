import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { readLinksOfProduct } from '../../shopify/calls/variant-links.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { applyLinkReading } from './apply-link-reading.ts';

/** Returns whether the shop stores print links in metafields. */
export function storesLinksInMetafields(shop: Shop): boolean {
  return readSettings(shop).printLinkMetafields !== null;
}

/**
 * Reads and saves the print links in the metafields of a product's variants, if the shop stores links there. Returns whether the product
 * must be read again, because another reading, possibly an older one, was saved during this reading. Throws ShopifyError, and the errors of
 * `openAdmin`.
 */
export async function readProductLinks(app: App, shop: Shop, shopifyProductId: string): Promise<boolean> {
  const { printLinkMetafields: namespace } = readSettings(shop);
  if (namespace === null) return false;
  const admin = await openAdmin(app, shop, { isBulk: true });
  let since = app.clock.now();
  let isOvertaken = false;
  for await (const links of readLinksOfProduct(admin, { id: shopifyProductId, namespace })) {
    const { overtaken } = await applyLinkReading(app, shop, { links, namespace, since });
    isOvertaken ||= overtaken > 0;
    since = app.clock.now();
  }
  return isOvertaken;
}
