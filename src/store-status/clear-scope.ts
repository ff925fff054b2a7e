import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';

/** The data shared by the steps of one `clear_store` job. */
export interface ClearScope {
  app: App;
  shop: Shop;
  admin: AdminApi;
  /** The IDs of orders from which something was removed. */
  cleared: Set<string>;
}
