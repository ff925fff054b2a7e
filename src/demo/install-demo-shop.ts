import type { App } from '../app.ts';
import { PrintLinks, VariantConnections } from '../database/entities/products.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { registerPrintAddress } from './register-print-address.ts';
import { activateInventory } from '../shopify/calls/stocking.ts';
import { readVariants } from '../shopify/calls/products.ts';
import { findShop } from '../shops/find-shop.ts';
import { installShop } from '../shops/install/install.ts';
import { createPrintWebhookAddress } from '../shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../shops/settings/settings.ts';
import { openAdmin } from '../shops/tokens/tokens.ts';

/** The demo waits only briefly: it sends orders to print immediately, and collects an order's tracking codes for one second. */
const DEMO_SETTINGS = { delayMinutes: 0, gatherSeconds: 1 };

/**
 * Installs the store stand-in's demo shop like a merchant's shop and connects its printed variants. If the print stand-in also runs,
 * connects the shop's print account and webhook address. `settings` take effect together with the print key. An existing shop keeps its
 * settings.
 */
export async function installDemoShop(app: App, storeUrl: string, settings: object = {}): Promise<Shop> {
  const { DEMO_PRINT_KEY, DEMO_SHOP, createSessionToken, readDemoVariants } = await import('../../sandbox/demo.ts');
  const known = await app.db.manager.findOneBy(Shops, { domain: DEMO_SHOP });
  const shop = await installShop(app, { domain: DEMO_SHOP, sessionToken: createSessionToken(app.config.shopify) });
  if (!known) {
    const extendedCalls = app.config.sandbox.extended;
    await changeSettings(app, shop, { ...DEMO_SETTINGS, extendedCalls, printKey: DEMO_PRINT_KEY, ...settings });
    await connectVariants(app, shop, await readDemoVariants(storeUrl));
  }
  if (app.config.sandbox.runsPrint) {
    const url = await createPrintWebhookAddress(app, shop);
    // Reads the shop again, because its row now contains the print key.
    await registerPrintAddress(app, await findShop(app, shop.id), url);
  }
  return shop;
}

interface PrintedVariant {
  variantId: string;
  sku: string;
  productUid: string;
  fileUrl: string | null;
  pageCount: number | null;
}

/**
 * Adds a print link and the status `connected` for each variant. Stocks each variant at Platen's location, so that the store routes its
 * orders there.
 */
async function connectVariants(app: App, shop: Shop, printed: PrintedVariant[]): Promise<void> {
  const links = printed.map(({ variantId, ...link }) => ({ shopId: shop.id, shopifyVariantId: variantId, ...link }));
  await app.db.manager.upsert(PrintLinks, links, ['shopId', 'shopifyVariantId']);
  const connections = printed.map(({ variantId }) => ({
    shopId: shop.id,
    shopifyVariantId: variantId,
    status: 'connected' as const,
  }));
  await app.db.manager.upsert(VariantConnections, connections, ['shopId', 'shopifyVariantId']);
  const admin = await openAdmin(app, shop);
  for (const { inventoryItem } of await readVariants(
    admin,
    printed.map(({ variantId }) => variantId),
  )) {
    if (shop.locationId !== null) await activateInventory(admin, inventoryItem.id, shop.locationId);
  }
}
