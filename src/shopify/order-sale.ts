import type { AdminApi } from './admin-api.ts';
import { OrderSaleDocument, OrderSaleLineItemsDocument } from './generated/operations.ts';
import type { OrderSaleQuery, SoldLineItemFragment } from './generated/operations.ts';
import { readAll } from './read-pages.ts';

type Order = NonNullable<OrderSaleQuery['order']>;

/** What the buyer paid for an order as it stands, with all its line items. */
export type OrderSaleReading = Omit<Order, 'lineItems' | 'shippingLines'> & {
  shippingLines: Order['shippingLines']['nodes'];
  lineItems: SoldLineItemFragment[];
};

/** Reads what the buyer paid for an order; null when the shop has no such order. Throws ShopifyError. */
export async function readOrderSale(admin: AdminApi, id: string): Promise<OrderSaleReading | null> {
  const { order } = await admin.request(OrderSaleDocument, { id });
  if (!order) return null;
  const lineItems = await readAll(OrderSaleLineItemsDocument.name, order.lineItems, async (after) => {
    const next = await admin.request(OrderSaleLineItemsDocument, { id, after });
    return next.order?.lineItems ?? null;
  });
  return { ...order, lineItems, shippingLines: order.shippingLines.nodes };
}
