import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { Holds, StorefrontOrders, type Hold, type StorefrontOrder } from '../../database/entities/orders.ts';
import { Fulfillments, Packages, type Fulfillment, type Package } from '../../database/entities/packages.ts';
import { PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { readSettings, type Settings } from '../../shops/settings/settings.ts';
import type { TrackedPart } from './to-event.ts';

/** The data from which Platen computes what the store should show for an order. */
export interface StoreView {
  shop: Shop;
  settings: Settings;
  storefrontOrder: StorefrontOrder;
  /** All of the order's print orders, by part. */
  printOrders: PrintOrder[];
  /** The open holds. */
  holds: Hold[];
  fulfillments: Fulfillment[];
  /** The confirmed packages of the order's print orders, without those whose code was replaced. */
  packages: Package[];
  /** The confirmed tracking codes of the order's print orders. */
  parts: TrackedPart[];
}

/** Reads the data that determines what the store should show for an order. Returns null if the order does not exist. */
export async function readStoreView(manager: EntityManager, storefrontOrderId: string): Promise<StoreView | null> {
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: storefrontOrderId });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || !shop) return null;
  const byOrder = { storefrontOrderId };
  const printOrders = await manager.find(PrintOrders, { where: byOrder, order: { part: 'ASC' } });
  const confirmed = {
    printOrderId: In(printOrders.map(({ id }) => id)),
    confirmedAt: Not(IsNull()),
    replacedAt: IsNull(),
  };
  const packages = await manager.find(Packages, { where: confirmed, order: { id: 'ASC' } });
  return {
    shop,
    settings: readSettings(shop),
    storefrontOrder,
    printOrders,
    holds: await manager.find(Holds, { where: { ...byOrder, resolvedAt: IsNull() }, order: { id: 'ASC' } }),
    fulfillments: await manager.find(Fulfillments, { where: byOrder, order: { id: 'ASC' } }),
    packages,
    parts: await readParts(manager, packages),
  };
}

async function readParts(manager: EntityManager, packages: readonly Package[]): Promise<TrackedPart[]> {
  if (packages.length === 0) return [];
  const orders = await manager.findBy(ServiceOrders, { printOrderId: In(packages.map((one) => one.printOrderId)) });
  return packages.flatMap(({ printOrderId, serviceOrderId, trackingCode }) =>
    orders
      .filter((one) => one.printOrderId === printOrderId && one.serviceOrderId === serviceOrderId)
      .map(({ status }) => ({ printOrderId, trackingCode, status })),
  );
}
