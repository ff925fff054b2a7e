import type { App } from '../app.ts';
import { PrintAccounts, type Shop } from '../database/entities/shops.ts';

/**
 * Returns the ID of the shop's print account, or null if the shop has none or the account is paused. Orders of a paused account would wait,
 * so its prices are not offered.
 */
export async function findActiveAccount(app: App, { printAccountId: id }: Shop): Promise<number | null> {
  if (id === null) return null;
  const account = await app.db.manager.findOneBy(PrintAccounts, { id });
  return account?.state === 'working' && account.paymentRefusedAt === null ? id : null;
}
