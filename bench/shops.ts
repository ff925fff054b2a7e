import type { App } from '../src/app.ts';
import { PrintLinks, VariantConnections } from '../src/database/entities/products.ts';
import { createSessionToken } from '../sandbox/store/access/session-token.ts';
import { installShop } from '../src/shops/install/install.ts';
import { createPrintWebhookAddress } from '../src/shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../src/shops/settings/settings.ts';
import { printedVariants } from '../test/chaos/orders/catalog.ts';
import type { Stage } from './stage.ts';

/** A shop with the app installed, its own print account and one or more linked variants. */
export interface BenchShop {
  id: number;
  domain: string;
  printKey: string;
  /** The store's variant that the benchmark orders. */
  variantId: string;
}

const SOLD = 'POSTER-30X40';
/** Orders are sent to print immediately, as drafts. */
const SETTINGS = { submit: 'draft', delayMinutes: 0, gatherSeconds: 4 };

/** Installs the app in shops named `prefix-1`, `prefix-2` and so on, and sets them up. `skus` are the shops' printed products. */
export async function openShops(
  stage: Stage,
  app: App,
  prefix: string,
  count: number,
  skus: readonly string[] = [SOLD],
): Promise<BenchShop[]> {
  const shops: BenchShop[] = [];
  for (let number = 1; number <= count; number += 1)
    shops.push(await openShop(stage, app, `${prefix}-${number}`, skus));
  return shops;
}

async function openShop(stage: Stage, app: App, name: string, skus: readonly string[]): Promise<BenchShop> {
  const domain = `${name}.myshopify.com`;
  const printKey = `sandbox-key-${name}`;
  await stage.control('store', 'POST', '/shops', { shop: domain });
  const installed = await installShop(app, { domain, sessionToken: createSessionToken(app.config.shopify, domain) });
  await changeSettings(app, installed, { ...SETTINGS, printKey });
  const url = await createPrintWebhookAddress(app, installed);
  await stage.control('print', 'POST', '/webhooks', { addresses: [{ key: printKey, url }] });
  const variants = (await stage.control('store', 'GET', `/variants?shop=${domain}`)) as {
    variantId: string;
    sku: string;
  }[];
  for (const { sku, productUid, pageCount } of printedVariants.filter((one) => skus.includes(one.sku))) {
    const shopifyVariantId = variants.find((variant) => variant.sku === sku)?.variantId;
    if (shopifyVariantId === undefined) throw new Error(`${domain} has no ${sku}`);
    const link = { shopId: installed.id, shopifyVariantId, sku, productUid, pageCount };
    const fileUrl = `https://files.example/${sku.toLowerCase()}.pdf`;
    await app.db.manager.upsert(PrintLinks, [{ ...link, fileUrl }], ['shopId', 'shopifyVariantId']);
    const connection = { shopId: installed.id, shopifyVariantId, status: 'connected' as const };
    await app.db.manager.upsert(VariantConnections, [connection], ['shopId', 'shopifyVariantId']);
    const path = `/variants/${encodeURIComponent(shopifyVariantId)}/stock`;
    await stage.control('store', 'POST', path, { location: 'service' });
  }
  const variantId = variants.find(({ sku }) => sku === SOLD)?.variantId ?? '';
  return { id: installed.id, domain, printKey, variantId };
}
