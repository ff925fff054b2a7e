import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../database/entities/orders.ts';
import { Fulfillments, PackageItems, Packages, type Fulfillment } from '../database/entities/packages.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../database/entities/print-orders.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { isAllowedTransition } from '../orders/facts/order-state.ts';
import type { OrderSession } from '../orders/rows/order-session.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import { readSettings, type Settings } from '../shops/settings/settings.ts';
import { openAdmin } from '../shops/tokens/tokens.ts';
import type { PrintToPush } from './packages-to-push.ts';
import { isOutcomeUnknown } from './plan-push.ts';
import { readStoreFulfillments, type StoreFulfillments } from './store-fulfillments.ts';

/** The data that the steps of a push share for one order. */
export interface PushScope {
  app: App;
  /** The session with all rows of the storefront order. */
  order: OrderSession;
  shop: Shop;
  settings: Settings;
  storefrontOrder: StorefrontOrder;
  prints: PrintToPush[];
  /** Platen's fulfillments for the order, oldest first. */
  rows: Fulfillment[];
  admin: AdminApi;
  store: StoreFulfillments;
}

/**
 * Reads an order for a push: first Platen's rows, then the store. Returns null if there is nothing to push or the shop is not installed.
 */
export async function openPushScope(app: App, order: OrderSession): Promise<PushScope | null> {
  const { storefrontOrderId, reader: manager } = order;
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: storefrontOrderId });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || shop?.state !== 'installed') return null;
  const prints = await readPrints(manager, storefrontOrderId);
  const rows = await manager.find(Fulfillments, { where: { storefrontOrderId }, order: { id: 'ASC' } });
  if (!rows.some(isOutcomeUnknown) && !prints.some(isUnfinished)) return null;
  const admin = await openAdmin(app, shop, { seen: order.token });
  const store = await readStoreFulfillments(app, shop, admin, storefrontOrder.shopifyOrderId);
  return { app, order, shop, settings: readSettings(shop), storefrontOrder, prints, rows, admin, store };
}

/** Returns whether a package is waiting, or all packages were pushed but the print order's state does not show this yet. */
function isUnfinished({ printOrder, packages, replaced }: PrintToPush): boolean {
  if (packages.length === 0 && replaced.length === 0) return false;
  return [...packages, ...replaced].some(({ pushedAt }) => pushedAt === null) || mayFinish(printOrder);
}

/** Returns whether a print order may become fulfilled with its packages. A held print order stays held until its hold is resolved. */
export function mayFinish({ state }: PrintOrder): boolean {
  return state !== 'held' && isAllowedTransition(state, 'fulfilled');
}

async function readPrints(manager: EntityManager, storefrontOrderId: string): Promise<PrintToPush[]> {
  const where = { storefrontOrderId, confirmedAt: Not(IsNull()), fencedAt: IsNull() };
  const printOrders = await manager.find(PrintOrders, { where, order: { part: 'ASC' } });
  const ofPrintOrders = { printOrderId: In(printOrders.map(({ id }) => id)) };
  const byId = { order: { id: 'ASC' } } as const;
  const lines = await manager.find(PrintOrderLines, { where: ofPrintOrders, ...byId });
  const packages = await manager.find(Packages, { where: { ...ofPrintOrders, confirmedAt: Not(IsNull()) }, ...byId });
  const items = await manager.findBy(PackageItems, { packageId: In(packages.map(({ id }) => id)) });
  return printOrders.map((printOrder) => {
    const ofPrintOrder = packages
      .filter(({ printOrderId }) => printOrderId === printOrder.id)
      .map((one) => {
        const inside = items.filter(({ packageId }) => packageId === one.id);
        return { ...one, items: inside, itemReferenceIds: inside.map(({ itemReferenceId }) => itemReferenceId) };
      });
    return {
      printOrder,
      lines: lines.filter(({ printOrderId }) => printOrderId === printOrder.id),
      packages: ofPrintOrder.filter(({ replacedAt }) => replacedAt === null),
      replaced: ofPrintOrder.filter(({ replacedAt }) => replacedAt !== null),
    };
  });
}
