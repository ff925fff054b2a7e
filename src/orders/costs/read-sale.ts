import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/orders.ts';
import { Shops } from '../../database/shops.ts';
import { ShopifyError, type ShopifyErrorKind } from '../../shopify/errors.ts';
import { readOrderSale, type OrderSaleReading } from '../../shopify/order-sale.ts';
import { openAdmin } from '../../shops/tokens.ts';
import { openOrder } from '../rows/order-session.ts';
import { toSale, toSaleMark } from './to-sale.ts';

/** What another try does not change: the margin of the order is not known then, and says so. */
const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['access_denied', 'user_error', 'graphql']);

/**
 * Reads from the store what the buyer paid for an order and keeps it. Nothing is read of a customer who is erased, or of a shop that has
 * removed Platen. Safe to repeat; runs in the order's queue. Throws ShopifyError where the store cannot be asked now.
 */
export async function readSale(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const session = await openOrder(app, { storefrontOrderId });
  if (!session) return;
  const manager = session.reader;
  const order = await manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
  const shop = await manager.findOneByOrFail(Shops, { id: order.shopId });
  if (order.redactedAt !== null || shop.state !== 'installed') return;
  let reading: OrderSaleReading | null;
  try {
    reading = await readOrderSale(await openAdmin(app, shop, { seen: session.token }), order.shopifyOrderId);
  } catch (error) {
    if (!(error instanceof ShopifyError) || !REFUSED.has(error.kind)) throw error;
    const { operation, kind } = error;
    app.log.warn({ storefrontOrderId, operation, kind }, 'what the buyer paid for an order could not be read');
    return;
  }
  const sale = reading && toSale(reading);
  if (!reading || !sale) return;
  // Under the lock of the order: what is erased beside us is not written again.
  await app.db.query(
    `with alive as (select id from storefront_orders where id = $1 and redacted_at is null for share)
     insert into order_sales (storefront_order_id, sale, mark, read_at) select id, $2::jsonb, $3, $4 from alive
     on conflict (storefront_order_id) do update set sale = excluded.sale, mark = excluded.mark, read_at = excluded.read_at`,
    [storefrontOrderId, JSON.stringify(sale), toSaleMark(reading), app.now()],
  );
}
