import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';

/** Shared by the steps of one job. */
export interface ClearScope {
  app: App;
  shop: Shop;
  admin: AdminApi;
  /** The orders with something removed. */
  cleared: Set<string>;
}
