import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import { readLinksOfProduct } from '../../shopify/variant-links.ts';
import { readSettings } from '../../shops/settings.ts';
import { openAdmin } from '../../shops/tokens.ts';
import { takeInLinks } from './take-in-links.ts';

/** Whether the shop keeps print links in metafields. */
export function keepsLinksInMetafields(shop: Shop): boolean {
  return readSettings(shop).printLinkMetafields !== null;
}

/**
 * Reads the print links that the variants of a product have in their metafields, and takes them in; nothing where the shop keeps none
 * there. Throws ShopifyError, and what `openAdmin` throws.
 */
export async function readProductLinks(app: App, shop: Shop, shopifyProductId: string): Promise<void> {
  const { printLinkMetafields: namespace } = readSettings(shop);
  if (namespace === null) return;
  const pages = readLinksOfProduct(await openAdmin(app, shop), { id: shopifyProductId, namespace });
  for await (const links of pages) await takeInLinks(app, shop, { links, namespace });
}
