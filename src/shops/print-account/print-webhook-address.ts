import { createHash, randomBytes } from 'node:crypto';
import { In, IsNull, LessThanOrEqual, type Repository } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintWebhookTokens, Shops } from '../../database/entities/shops.ts';
import type { PrintWebhookToken, Shop } from '../../database/entities/shops.ts';

const TOKEN_BYTES = 32;
const OVERLAP_MS = 24 * 3600 * 1000;
/**
 * If many addresses are created within a day, the middle ones are deleted. The merchant has most likely entered one of the first or latest
 * addresses at the print service.
 */
const EARLY_KEPT = 5;
const LATE_KEPT = 5;

/** A stored address with its expiry, its shop's ID and the shop's secret header. */
export interface PrintWebhookAddress extends Pick<
  Shop,
  'id' | 'printWebhookHeaderName' | 'printWebhookHeaderValueEncrypted'
> {
  tokenHash: string;
  expiresAt: Date | null;
}

/**
 * Creates an address for the print service's events about a shop and returns its URL. Only the hash of its token is stored. The previous
 * address stays valid for a day, so that the merchant can change the address at the service without losing events. A shop has at most 10
 * addresses.
 */
export async function createPrintWebhookAddress(app: App, shop: Pick<Shop, 'id'>): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = app.clock.now();
  await app.db.transaction(async (manager) => {
    // Makes concurrent calls take turns. Otherwise, neither call would see the other's address, and neither address would get an expiry.
    await manager.getRepository(Shops).findOneOrFail({ where: { id: shop.id }, lock: { mode: 'for_no_key_update' } });
    const tokens = manager.getRepository(PrintWebhookTokens);
    await tokens.delete({ shopId: shop.id, expiresAt: LessThanOrEqual(now) });
    const expiresAt = new Date(now.getTime() + OVERLAP_MS);
    await tokens.update({ shopId: shop.id, expiresAt: IsNull() }, { expiresAt });
    await tokens.insert({ tokenHash: hashPrintWebhookToken(token), shopId: shop.id, expiresAt: null });
    await deleteMiddleAddresses(tokens, shop);
  });
  return `${app.config.shopify.appUrl}/webhooks/print/${token}`;
}

/** Returns the hash of an address's token as stored: SHA-256 in hexadecimal. */
export function hashPrintWebhookToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the address with this token hash, valid or expired, or null if no shop has it. The hash alone grants no access. */
export async function readPrintWebhookAddress(app: App, tokenHash: string): Promise<PrintWebhookAddress | null> {
  const [address = null] = await findPrintWebhookAddresses(app, [tokenHash]);
  return address;
}

/** Returns the address for each token hash, as `readPrintWebhookAddress` does, in one statement. */
export async function findPrintWebhookAddresses(
  app: App,
  tokenHashes: readonly string[],
): Promise<(PrintWebhookAddress | null)[]> {
  const found: PrintWebhookAddress[] = await app.db.query(`${ADDRESSES} where t.token_hash = any($1)`, [tokenHashes]);
  const byHash = new Map(found.map((address) => [address.tokenHash, address]));
  return tokenHashes.map((tokenHash) => byHash.get(tokenHash) ?? null);
}

/** Returns the latest addresses of all shops, up to `most` in total. */
export async function readPrintWebhookAddresses(app: App, most: number): Promise<PrintWebhookAddress[]> {
  return app.db.query(`${ADDRESSES} order by t.created_at desc limit $1`, [most]);
}

const ADDRESSES = `
  select t.token_hash as "tokenHash", t.expires_at as "expiresAt", s.id,
    s.print_webhook_header_name as "printWebhookHeaderName",
    s.print_webhook_header_value_encrypted as "printWebhookHeaderValueEncrypted"
  from print_webhook_tokens t join shops s on s.id = t.shop_id`;

async function deleteMiddleAddresses(
  tokens: Repository<PrintWebhookToken>,
  { id: shopId }: Pick<Shop, 'id'>,
): Promise<void> {
  // Addresses expire in the order in which they were replaced. The current address never expires.
  const all = await tokens.find({ where: { shopId }, order: { expiresAt: { direction: 'asc', nulls: 'last' } } });
  const middle = all.slice(EARLY_KEPT, Math.max(EARLY_KEPT, all.length - LATE_KEPT));
  if (middle.length > 0) await tokens.delete({ tokenHash: In(middle.map(({ tokenHash }) => tokenHash)) });
}
