import { createHash, randomBytes } from 'node:crypto';
import { IsNull, LessThanOrEqual } from 'typeorm';
import type { App } from '../app.ts';
import { PrintWebhookTokens, Shops } from '../database/shops.ts';
import type { Shop } from '../database/shops.ts';

const TOKEN_BYTES = 32;
const OVERLAP_MS = 24 * 3600 * 1000;

/**
 * Makes the address of a shop for the print service's events and returns its URL, which is kept nowhere: only the token's hash is.
 * The address before stays valid for a day, so that the merchant can change it at the service without losing an event.
 */
export async function makePrintWebhookAddress(app: App, shop: Pick<Shop, 'id'>): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = app.now();
  await app.db.transaction(async (manager) => {
    // Two at once take turns, or both would stay without an end.
    await manager.getRepository(Shops).findOneOrFail({ where: { id: shop.id }, lock: { mode: 'for_no_key_update' } });
    const tokens = manager.getRepository(PrintWebhookTokens);
    await tokens.delete({ shopId: shop.id, expiresAt: LessThanOrEqual(now) });
    const expiresAt = new Date(now.getTime() + OVERLAP_MS);
    await tokens.update({ shopId: shop.id, expiresAt: IsNull() }, { expiresAt });
    await tokens.insert({ tokenHash: hashPrintWebhookToken(token), shopId: shop.id, expiresAt: null });
  });
  return `${app.config.shopify.appUrl}/webhooks/print/${token}`;
}

/** What is kept of an address's token: its SHA-256, hexadecimal. */
export function hashPrintWebhookToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The shop whose address has this token hash; null for one that is unknown or has expired. The hash alone opens no address. */
export async function findShopByPrintWebhookTokenHash(app: App, tokenHash: string): Promise<Shop | null> {
  return app.db
    .getRepository(Shops)
    .createQueryBuilder('s')
    .innerJoin('print_webhook_tokens', 't', 't.shop_id = s.id')
    .where('t.token_hash = :tokenHash and (t.expires_at is null or t.expires_at > :now)', { tokenHash, now: app.now() })
    .getOne();
}
