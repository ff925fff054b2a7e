import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { Plan } from './decide/plan.ts';
import type { OwnRows } from '../rows/own-rows.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/** Data shared by the functions that write a storefront order's plan in one transaction. */
export interface PlanScope {
  app: App;
  manager: EntityManager;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  settings: Settings;
  plan: Plan;
  rows: OwnRows;
  reading: StoreReading;
  /** When the plan was created. The reading is at most 30 seconds older. */
  readAt: Date;
  installation: InstallationSecrets;
}
