import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { GrantRefusedError } from '../../shopify/auth/exchange-tokens.ts';

/**
 * Keeps that Shopify refuses this server: the Admin API answers 403 (Shopify page, 0.3), or the app's key or secret is wrong. It says
 * nothing of the merchant, so the shop's state stays as it is, and the operator is told what to mend. Any other error is let pass.
 */
export async function noteAdminRefused(app: App, shop: Pick<Shop, 'id'>, error: unknown): Promise<void> {
  if (!(error instanceof ShopifyError)) return;
  const cause = causeOf(error);
  if (cause === null) return;
  const [, isNew]: [unknown, number] = await app.db.query(
    'update shops set admin_refused_at = $2 where id = $1 and admin_refused_at is null',
    [shop.id, app.now()],
  );
  if (isNew === 0) return;
  app.log.error({ shopId: shop.id, operation: error.operation }, `${cause} See docs/deployment.md`);
}

/** A call was answered again. */
export async function clearAdminRefused(app: App, shop: Pick<Shop, 'id'>): Promise<void> {
  await app.db.getRepository(Shops).update({ id: shop.id }, { adminRefusedAt: null });
  app.log.info({ shopId: shop.id }, 'Shopify no longer refuses this server');
}

function causeOf(error: ShopifyError): string | null {
  if (error instanceof GrantRefusedError && error.isOfApp)
    return "Shopify does not know the app: SHOPIFY_API_KEY or SHOPIFY_API_SECRET is not the app's.";
  if (error.status !== 403) return null;
  return "Shopify answers 403: the configuration is at fault. Is this server's address on the app's IP allow-list?";
}
