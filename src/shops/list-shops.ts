import { MoreThan } from 'typeorm';
import type { App } from '../app.ts';
import { PrintAccounts, Shops } from '../database/entities/shops.ts';
import type { PrintAccount, Shop } from '../database/entities/shops.ts';
import { readQuietUntil } from './print-account/read-quiet-until.ts';

/** A shop's data for an operator. */
export interface ShopSummary {
  domain: string;
  name: string | null;
  state: Shop['state'];
  /**
   * When Shopify began to reject this server, because of the server's address or the app's credentials. Null if Shopify accepts the server.
   */
  adminRefusedAt: string | null;
  fencedOffAt: string | null;
  /** The state of the print account's key. Null if the shop has no print account. */
  printAccount: PrintAccount['state'] | null;
  /** The end of the quiet time after a restore, or null. It applies to all shops. */
  quietUntil: string | null;
  locationId: string | null;
  takesOrdersFrom: string;
  installedAt: string;
  uninstalledAt: string | null;
}

const PAGE_SIZE = 500;

/** Reads all shops page by page, in the order of their first install. */
export async function* listShops(app: App): AsyncGenerator<ShopSummary> {
  let page: Shop[];
  let lastId = 0;
  do {
    page = await app.db
      .getRepository(Shops)
      .find({ where: { id: MoreThan(lastId) }, order: { id: 'ASC' }, take: PAGE_SIZE });
    for (const shop of page) yield summarizeShop(app, shop);
    lastId = page.at(-1)?.id ?? lastId;
  } while (page.length === PAGE_SIZE);
}

/** Returns the data that `platen shops` shows for one shop. */
export async function summarizeShop(app: App, shop: Shop): Promise<ShopSummary> {
  const { domain, name, state, printAccountId, locationId } = shop;
  const account =
    printAccountId === null ? null : await app.db.getRepository(PrintAccounts).findOneBy({ id: printAccountId });
  return {
    domain,
    name,
    state,
    adminRefusedAt: shop.adminRefusedAt?.toISOString() ?? null,
    fencedOffAt: shop.fencedOffAt?.toISOString() ?? null,
    printAccount: account?.state ?? null,
    quietUntil: (await readQuietUntil(app, shop))?.toISOString() ?? null,
    locationId,
    takesOrdersFrom: shop.takesOrdersFrom.toISOString(),
    installedAt: shop.installedAt.toISOString(),
    uninstalledAt: shop.uninstalledAt?.toISOString() ?? null,
  };
}
