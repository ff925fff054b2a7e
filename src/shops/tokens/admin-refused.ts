import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { GrantRefusedError } from '../../shopify/auth/exchange-tokens.ts';

/**
 * Records that Shopify rejects this server: the Admin API responds with 403 (docs/rules/shopify.md#ip-allowlist), or the app's key or
 * secret is wrong. The merchant did not cause the problem, so the shop's state does not change, and the log shows the operator the remedy.
 * Other errors are ignored.
 */
export async function recordAdminRefused(app: App, shop: Pick<Shop, 'id'>, error: unknown): Promise<void> {
  if (!(error instanceof ShopifyError)) return;
  const cause = describeCause(error);
  if (cause === null) return;
  const [, isNew]: [unknown, number] = await app.db.query(
    'update shops set admin_refused_at = $2 where id = $1 and admin_refused_at is null',
    [shop.id, app.clock.now()],
  );
  if (isNew === 0) return;
  app.log.error({ shopId: shop.id, operation: error.operation }, `${cause} See docs/operators/deploy.md`);
}

/** Records that Shopify accepts requests from this server again. */
export async function clearAdminRefused(app: App, shop: Pick<Shop, 'id'>): Promise<void> {
  await app.db.getRepository(Shops).update({ id: shop.id }, { adminRefusedAt: null });
  app.log.info({ shopId: shop.id }, 'Shopify accepts requests from this server again');
}

function describeCause(error: ShopifyError): string | null {
  if (error instanceof GrantRefusedError && error.isAppError)
    return 'Shopify does not recognize the app: SHOPIFY_API_KEY or SHOPIFY_API_SECRET is wrong.';
  if (error.status !== 403) return null;
  return "Shopify responds with 403 because of the app's configuration. Check that this server's address is on the app's IP allowlist.";
}
