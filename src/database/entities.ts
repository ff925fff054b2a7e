import type { EntitySchema } from 'typeorm';
import { Backfills } from './entities/backfills.ts';
import { OrderSales, PrintReceipts } from './entities/costs.ts';
import { Deliveries } from './entities/deliveries.ts';
import { Holds, OrderLines, PrintedLines, StorefrontOrders, TimelineEntries } from './entities/orders.ts';
import { NewProducts } from './entities/new-products.ts';
import { Fulfillments, PackageItems, Packages } from './entities/packages.ts';
import {
  Deviations,
  PrintOrderLines,
  PrintOrders,
  ServiceComments,
  ServiceOrders,
  SubmitAttempts,
} from './entities/print-orders.ts';
import { PrivacyRequests } from './entities/privacy-requests.ts';
import { LinkMetafieldReadings, PrintLinks, ProductStocks, VariantConnections } from './entities/products.ts';
import { ConnectionMetafields, PrintStores, StoreProducts, StoreProductVariants } from './entities/store-products.ts';
import { StepWaits } from './entities/step-waits.ts';
import { StoreProductTemplates } from './entities/templates.ts';
import { VariantsInStore } from './entities/variants-in-store.ts';
import {
  Installations,
  OtherAppStores,
  PrintAccounts,
  PrintWebhookTokens,
  Shops,
  ShopTokens,
} from './entities/shops.ts';

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
  Deviations,
  SubmitAttempts,
  ServiceOrders,
  ServiceComments,
  StepWaits,
  PrintReceipts,
  OrderSales,
  Packages,
  PackageItems,
  Fulfillments,
  PrivacyRequests,
  Backfills,
];
