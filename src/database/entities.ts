import type { EntitySchema } from 'typeorm';
import { Backfills } from './backfills.ts';
import { OrderSales, PrintReceipts } from './costs.ts';
import { Deliveries } from './deliveries.ts';
import { Holds, OrderLines, PrintedLines, StorefrontOrders, TimelineEntries } from './orders.ts';
import { NewProducts } from './new-products.ts';
import { Fulfillments, PackageItems, Packages } from './packages.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders, SubmitAttempts } from './print-orders.ts';
import { PrivacyRequests } from './privacy-requests.ts';
import { LinkMetafieldReadings, PrintLinks, ProductStocks, VariantConnections } from './products.ts';
import { ConnectionMetafields, PrintStores, StoreProducts, StoreProductVariants } from './store-products.ts';
import { StepWaits } from './step-waits.ts';
import { StoreProductTemplates } from './templates.ts';
import { VariantsInStore } from './variants-in-store.ts';
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
  LinkMetafieldReadings,
  VariantConnections,
  ProductStocks,
  VariantsInStore,
  PrintStores,
  StoreProducts,
  StoreProductVariants,
  ConnectionMetafields,
  StoreProductTemplates,
  NewProducts,
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
  StepWaits,
  PrintReceipts,
  OrderSales,
  Packages,
  PackageItems,
  Fulfillments,
  PrivacyRequests,
  Backfills,
];
