import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { connectDatabase } from '../../../src/database/connect.ts';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { toAddressOf } from './addresses.ts';
import type { ChaosArguments } from '../arguments.ts';
import { fileUrlOf, printedVariants } from './catalog.ts';
import { CONTROL_BUYER } from '../books/check-books.ts';
import type { ChaosRandom } from './random.ts';
import type { StoreRecord } from '../books/read-books.ts';
import { say } from '../say.ts';
import type { Stage } from '../stage/stage.ts';

/** A shop of the run in which the app is installed and set up. */
export interface ChaosShop {
  domain: string;
  submit: 'draft' | 'direct';
  /** The IDs of the store's variants, by SKU. */
  variantIds: ReadonlyMap<string, string>;
}

/** The first and third shops share a print account. */
const SHOPS = [
  { domain: 'chaos-1.myshopify.com', printKey: 'sandbox-key-chaos-a' },
  { domain: 'chaos-2.myshopify.com', printKey: 'sandbox-key-chaos-b' },
  { domain: 'chaos-3.myshopify.com', printKey: 'sandbox-key-chaos-a' },
  { domain: 'chaos-4.myshopify.com', printKey: 'sandbox-key-chaos-c' },
];
const CONTROL_MS = 120_000;
const LOOK_MS = 500;

/**
 * Installs the app in four shops as a merchant would, sets the shops up, and prints one undisturbed order in each. This order is the
 * control for later searches, which must prove that another order does not exist. With `both`, half of the shops submit by draft and half
 * directly.
 */
export async function prepareShops(
  stage: Stage,
  { submit, random }: { submit: ChaosArguments['submit']; random: ChaosRandom },
): Promise<ChaosShop[]> {
  const db = await connectDatabase({ url: stage.databaseUrl, poolSize: 2, applicationName: 'chaos' });
  try {
    const opened = await Promise.all(
      SHOPS.map(async ({ domain, printKey }, index) => {
        const way = submit === 'both' ? (index < SHOPS.length / 2 ? 'draft' : 'direct') : submit;
        const shop = await openShop(stage, db, { domain, printKey, submit: way });
        return { shop, address: { key: printKey, url: (await stage.platen(['shops', 'webhook', domain])).trim() } };
      }),
    );
    const shops = opened.map(({ shop }) => shop);
    // A single request sets all addresses, because an address that is set for a key replaces the previous one.
    await stage.control('print', 'POST', '/webhooks', { addresses: opened.map(({ address }) => address) });
    await Promise.all(shops.map((shop) => printControl(stage, shop, random.fork(shop.domain))));
    return shops;
  } finally {
    await db.destroy();
  }
}

interface ShopPlan {
  domain: string;
  printKey: string;
  submit: 'draft' | 'direct';
}

async function openShop(stage: Stage, db: DataSource, { domain, printKey, submit }: ShopPlan): Promise<ChaosShop> {
  await stage.control('store', 'POST', '/shops', { shop: domain, installed: false });
  const { url } = (await stage.control('store', 'POST', `/shops/${domain}/install`)) as { url: string };
  const page = await fetch(url, { signal: AbortSignal.timeout(CONTROL_MS) });
  if (!page.ok) throw new Error(`The app cannot be opened in ${domain}: ${page.status} ${await page.text()}`);
  const settings = { printKey, submit, delayMinutes: 0, gatherSeconds: 1 };
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await stage.platen(['shops', 'set', domain, ...pairs]);
  const variants = (await stage.control('store', 'GET', `/variants?shop=${domain}`)) as {
    variantId: string;
    sku: string;
  }[];
  const variantIds = new Map(variants.map(({ sku, variantId }) => [sku, variantId]));
  await linkVariants(stage, db, domain, variantIds);
  return { domain, submit, variantIds };
}

/** Writes print links, connections and stock, as if a merchant had set up the products. The CLI has no command for links. */
async function linkVariants(
  stage: Stage,
  db: DataSource,
  domain: string,
  variantIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { id: shopId } = await db.getRepository(Shops).findOneByOrFail({ domain });
  for (const { sku, productUid, pageCount } of printedVariants) {
    const shopifyVariantId = variantIds.get(sku);
    if (shopifyVariantId === undefined) throw new Error(`${domain} has no ${sku}`);
    const link = { shopId, shopifyVariantId, sku, productUid, pageCount, fileUrl: fileUrlOf(domain, sku) };
    await db.manager.upsert(PrintLinks, [link], ['shopId', 'shopifyVariantId']);
    const connection = { shopId, shopifyVariantId, status: 'connected' as const };
    await db.manager.upsert(VariantConnections, [connection], ['shopId', 'shopifyVariantId']);
    const path = `/variants/${encodeURIComponent(shopifyVariantId)}/stock`;
    await stage.control('store', 'POST', path, { location: 'service' });
  }
}

/** Places the control order. Rejects if the order is not fulfilled within two minutes. */
async function printControl(stage: Stage, shop: ChaosShop, random: ChaosRandom): Promise<void> {
  const { sku } = random.pick(printedVariants);
  const { id, name } = (await stage.control('store', 'POST', '/orders', {
    shop: shop.domain,
    lines: [{ variantId: shop.variantIds.get(sku), quantity: 1 }],
    shippingAddress: toAddressOf('US', CONTROL_BUYER),
  })) as StoreRecord;
  const end = Date.now() + CONTROL_MS;
  for (;;) {
    const order = (await stage.control('store', 'GET', `/orders/${encodeURIComponent(id)}`)) as StoreRecord;
    if (order.fulfillments.some(({ trackingCodes }) => trackingCodes.length > 0)) break;
    if (Date.now() > end) throw new Error(`${shop.domain} has not printed its first order ${name} within two minutes`);
    await delay(LOOK_MS);
  }
  say(`${shop.domain} submits ${shop.submit === 'draft' ? 'by draft' : 'directly'} and has printed its first order`);
}
