import { PrintLinks } from '../../src/database/entities/products.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { registerPrintAddress } from '../../src/demo/register-print-address.ts';
import { createSessionToken } from '../../sandbox/store/access/session-token.ts';
import { installShop } from '../../src/shops/install/install.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import type { Platen } from './platen.ts';

interface OtherShop {
  domain?: string;
  /** A different key results in a different print account. */
  printKey?: string;
}

/** Opens another shop that sells the same prints, with the same print account by default. */
export async function openOtherShop(
  { app, shop, control }: Platen,
  { domain = 'other.myshopify.com', printKey = 'sandbox-key' }: OtherShop = {},
): Promise<Shop> {
  await control('store', 'POST', '/shops', { shop: domain });
  const sessionToken = createSessionToken(app.config.shopify, domain);
  const installed = await installShop(app, { domain, sessionToken });
  await changeSettings(app, installed, { delayMinutes: 0, gatherSeconds: 0, printKey });
  const variants = (await control('store', 'GET', `/variants?shop=${domain}`)) as { sku: string; variantId: string }[];
  for (const { id: _id, ...link } of await app.db.manager.findBy(PrintLinks, { shopId: shop.id })) {
    const variantId = variants.find(({ sku }) => sku === link.sku)?.variantId;
    if (variantId)
      await app.db.manager.insert(PrintLinks, { ...link, shopId: installed.id, shopifyVariantId: variantId });
  }
  const found = await app.db.manager.findOneByOrFail(Shops, { id: installed.id });
  await registerPrintAddress(app, found, await createPrintWebhookAddress(app, found));
  return found;
}
