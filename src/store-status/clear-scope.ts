import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';

/** What the steps of one job share. */
export interface ClearScope {
  app: App;
  shop: Shop;
  admin: AdminApi;
  /** The orders of which something was taken back. */
  cleared: Set<string>;
}
