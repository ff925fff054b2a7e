import type { App } from '../app.ts';
import { Shops } from '../database/shops.ts';
import { readSettings } from '../shops/settings.ts';

/** Deliveries are kept this long, to know a late duplicate. */
const DELIVERY_DAYS = 30;

/** Removes personal data past its shop's retention time, and old deliveries. Counts in proportion to what is due. */
export async function removeOldData(app: App): Promise<void> {
  await app.db.query(`delete from deliveries where received_at < now() - make_interval(days => $1)`, [DELIVERY_DAYS]);
  for (const shop of await app.db.manager.find(Shops)) {
    await app.db.query(
      `update print_orders set recipient_encrypted = null, body_encrypted = null
       where shop_id = $1 and (recipient_encrypted is not null or body_encrypted is not null)
         and (state in ('fulfilled', 'canceled', 'failed') or fenced_at is not null
           or exists (select from storefront_orders o where o.id = storefront_order_id and o.canceled_at is not null)) and updated_at < now() - make_interval(days => $2)`,
      [shop.id, readSettings(shop).retentionDays],
    );
  }
}
