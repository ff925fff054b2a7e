import type { EntitySchema } from 'typeorm';
import { Deliveries } from './deliveries.ts';
import { Holds, OrderLines, PrintedLines, StorefrontOrders, TimelineEntries } from './orders.ts';
import { Fulfillments, PackageItems, Packages } from './packages.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders, SubmitAttempts } from './print-orders.ts';
import { PrintLinks, VariantConnections } from './products.ts';
import { Installations, OtherAppStores, PrintAccounts, PrintWebhookTokens, Shops, ShopTokens } from './shops.ts';

/** Every table that TypeORM reads and writes. */
export const entities: EntitySchema[] = [
  Installations,
  PrintAccounts,
  Shops,
  ShopTokens,
  PrintWebhookTokens,
  OtherAppStores,
  PrintLinks,
  VariantConnections,
  Deliveries,
  StorefrontOrders,
  OrderLines,
  PrintedLines,
  Holds,
  TimelineEntries,
  PrintOrders,
  PrintOrderLines,
  SubmitAttempts,
  ServiceOrders,
  Packages,
  PackageItems,
  Fulfillments,
];
