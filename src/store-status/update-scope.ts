import type { App } from '../app.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import { type StoreView, readStoreView } from '../orders/store-view/store-view.ts';
import { openOrder } from '../orders/rows/order-session.ts';
import { openAdmin } from '../shops/tokens/tokens.ts';

/** The order data needed to update the store. */
export interface UpdateScope extends StoreView {
  app: App;
  /** Opens the Admin API on first use, and therefore only if the store must be called. */
  admin: () => Promise<AdminApi>;
}

export async function openUpdateScope(app: App, id: string): Promise<UpdateScope | null> {
  const order = await openOrder(app, { storefrontOrderId: id });
  if (!order) return null;
  const view = await readStoreView(order.reader, id);
  if (view?.shop.state !== 'installed') return null;
  let admin: Promise<AdminApi> | null = null;
  return { ...view, app, admin: () => (admin ??= openAdmin(app, view.shop, { seen: order.token })) };
}
